import { useSearch } from '../../kit/address.ts'
import { MailPreview } from '../../kit/mail-preview.tsx'
import { loadAttachment, type Email } from './data.ts'
import { emailSearch } from './search.ts'

export function Preview({ email, project }: { email: Email; project: string }) {
  const [look, change] = useSearch(emailSearch)
  return (
    <MailPreview
      mail={email}
      files={email.attachments}
      load={(id, signal) => loadAttachment(project, email.id, id, signal)}
      look={look}
      onChange={change}
    />
  )
}
