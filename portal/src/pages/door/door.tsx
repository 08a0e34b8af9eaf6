import { useEffect, useState } from 'react'
import { TipLayer } from '../../kit/tip.tsx'
import { Setup } from './setup.tsx'
import { SignIn } from './sign-in.tsx'
import { doorPages } from './table.ts'
import { takeToken } from './token.ts'

/** The pages of those who are not signed in. */
export function Door({ path, token: first }: { path: string; token: string | undefined }) {
  const [token, setToken] = useState(first)
  useEffect(() => {
    // A link that is pasted where this page is open already changes nothing but the part behind `#`.
    const take = (): void => setToken((before) => takeToken() ?? before)
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  const Page = doorPages[path] ?? SignIn
  // Another link is another page, but for the one whose form must not lose what was typed.
  const key = Page === Setup ? path : token
  return (
    <>
      <Page key={key} token={token} />
      <TipLayer />
    </>
  )
}
