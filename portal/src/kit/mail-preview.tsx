import { useQuery } from '@tanstack/react-query'
import { words } from '../words/words.ts'
import { Code } from './code.tsx'
import { imagesQuery, type MailWithImages } from './mail-images.ts'
import { MailView } from './mail-view.tsx'
import { Quiet, Stack } from './text.tsx'

/** How the mail is looked at, where that is not the usual way; a part of the page's address. */
interface Look {
  width?: 'phone' | undefined
  scheme?: 'dark' | undefined
}

export interface MailPreviewProps extends Pick<MailWithImages, 'files' | 'load'> {
  mail: { id: string; html: string | null; text: string | null }
  look: Look
  onChange: (change: Look) => void
}

/** A mail with the images that came with it; its text, where it has nothing else. */
export function MailPreview({ mail: { id, html, text }, files, load, look, onChange }: MailPreviewProps) {
  const { data: images } = useQuery(imagesQuery({ id, html, files, load }))
  if (html === null) {
    return (
      <Stack>
        <Quiet isSmall>{words.emails.content.noHtml}</Quiet>
        <Code text={text ?? ''} label={words.emails.content.textOf} wraps />
      </Stack>
    )
  }
  return (
    <MailView
      html={html}
      {...(images !== undefined && { images })}
      width={look.width ?? 'desktop'}
      scheme={look.scheme ?? 'light'}
      onChange={({ width, scheme }) =>
        onChange({
          ...(width !== undefined && { width: width === 'phone' ? width : undefined }),
          ...(scheme !== undefined && { scheme: scheme === 'dark' ? scheme : undefined }),
        })
      }
    />
  )
}
