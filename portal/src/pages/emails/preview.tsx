import { useSearch } from '../../kit/address.ts'
import { Code } from '../../kit/code.tsx'
import { MailView } from '../../kit/mail-view.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Email } from './data.ts'
import { emailSearch } from './search.ts'

const said = words.emails.content

export function Preview({ email }: { email: Email }) {
  const [{ width, scheme }, change] = useSearch(emailSearch)
  if (email.html === null) {
    return (
      <Stack>
        <Quiet isSmall>{said.noHtml}</Quiet>
        <Code text={email.text ?? ''} label={said.textOf} wraps />
      </Stack>
    )
  }
  return (
    <MailView
      html={email.html}
      width={width ?? 'desktop'}
      scheme={scheme ?? 'light'}
      onChange={(changed) =>
        change({
          ...(changed.width !== undefined && { width: changed.width === 'phone' ? 'phone' : undefined }),
          ...(changed.scheme !== undefined && { scheme: changed.scheme === 'dark' ? 'dark' : undefined }),
        })
      }
    />
  )
}
