import { useState } from 'react'
import { useSearch } from '../../kit/address.ts'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { MailFrame } from '../../kit/mail-frame.tsx'
import { Segments } from '../../kit/tabs.tsx'
import { Quiet, Row, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Email } from './data.ts'
import { remoteImagesIn } from './remote-images.ts'
import { emailSearch } from './search.ts'

const said = words.emails.content

/** The email as a mail program shows it. Remote images are loaded when somebody asks, for this email and this visit alone. */
export function Preview({ email }: { email: Email }) {
  const [{ width, scheme }, change] = useSearch(emailSearch)
  const [withImages, setWithImages] = useState(false)
  if (email.html === null) {
    return (
      <Stack>
        <Quiet isSmall>{said.noHtml}</Quiet>
        <Code text={email.text ?? ''} label={said.textOf} wraps />
      </Stack>
    )
  }
  const remote = remoteImagesIn(email.html)
  return (
    <Stack>
      <Row>
        <Segments
          label={said.width}
          options={[
            { value: 'desktop', label: said.desktop },
            { value: 'phone', label: said.phone },
          ]}
          value={width ?? 'desktop'}
          onChange={(value) => change({ width: value === 'phone' ? value : undefined })}
        />
        <Segments
          label={said.scheme}
          options={[
            { value: 'light', label: said.light },
            { value: 'dark', label: said.dark },
          ]}
          value={scheme ?? 'light'}
          onChange={(value) => change({ scheme: value === 'dark' ? value : undefined })}
        />
        {remote.https > 0 && !withImages && <Button onClick={() => setWithImages(true)}>{said.loadImages}</Button>}
      </Row>
      <Quiet isSmall>
        {withImages ? said.withImages : said.isolated} {remote.http > 0 && said.plainImages(remote.http)}
      </Quiet>
      <MailFrame
        html={email.html}
        title={said.frame}
        width={width ?? 'desktop'}
        scheme={scheme ?? 'light'}
        withImages={withImages}
      />
    </Stack>
  )
}
