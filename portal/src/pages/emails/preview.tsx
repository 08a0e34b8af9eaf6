import { useQuery } from '@tanstack/react-query'
import { useSearch } from '../../kit/address.ts'
import { Code } from '../../kit/code.tsx'
import { imagesQuery } from '../../kit/mail-images.ts'
import { MailView } from '../../kit/mail-view.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { loadAttachment, type Email } from './data.ts'
import { emailSearch } from './search.ts'

const said = words.emails.content

export function Preview({ email, project }: { email: Email; project: string }) {
  const [{ width, scheme }, change] = useSearch(emailSearch)
  const { data: images } = useQuery(
    imagesQuery({
      id: email.id,
      html: email.html,
      files: email.attachments,
      load: (id, signal) => loadAttachment(project, email.id, id, signal),
    }),
  )
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
      {...(images !== undefined && { images })}
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
