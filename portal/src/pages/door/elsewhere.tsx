import { hasName } from '../../kit/passkeys.ts'
import { Quiet } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'

interface ElsewhereProps {
  /** Where the installation says that it is. */
  publicUrl: string | undefined
  /** The token of the link that led here; it goes along without standing on the page. */
  token?: string | undefined
}

/** For those who have opened the portal by an address: where passkeys are, in one sentence. */
export function Elsewhere({ publicUrl, token }: ElsewhereProps) {
  const place = hasName(location.hostname) ? undefined : namedPlace(publicUrl)
  if (place === undefined) return null
  const href = place.origin + location.pathname + location.search
  return (
    <Quiet isSmall>
      {words.door.byAddress}{' '}
      <a
        href={href}
        onClick={(event) => {
          if (token === undefined) return
          event.preventDefault()
          location.assign(`${href}#${token}`)
        }}
      >
        {words.door.byAddressLink(place.host)}
      </a>
    </Quiet>
  )
}

/** The same page under a name: that of the installation, or the one that every machine has for itself. */
function namedPlace(publicUrl: string | undefined): URL | undefined {
  const known = publicUrl === undefined ? null : URL.parse(publicUrl)
  if (known !== null && hasName(known.hostname)) return known
  if (!/^(127\.|\[::1\]$)/.test(location.hostname)) return undefined
  const own = new URL(location.origin)
  own.hostname = 'localhost'
  return own
}
