import { useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { MailFrame, type MailContents } from './mail-frame.tsx'
import styles from './mail-view.module.css'
import { Segments } from './tabs.tsx'
import { Quiet, Row, Stack } from './text.tsx'

export type MailWidth = 'desktop' | 'phone'
export type MailScheme = 'light' | 'dark'

export interface MailViewProps {
  html: string
  /** Pictures of the mail by their content id, as `data:` addresses. */
  images?: Readonly<Record<string, string>>
  width: MailWidth
  scheme: MailScheme
  onChange: (change: { width?: MailWidth; scheme?: MailScheme }) => void
}

/** A mail as programs show it. Remote images are loaded when somebody asks, for this mail and this visit alone. */
export function MailView({ html, images, width, scheme, onChange }: MailViewProps) {
  const [areAllowed, setAllowed] = useState(false)
  const [remote, setRemote] = useState<MailContents['remoteImages']>({ https: 0, http: 0 })
  const text = words.mail
  return (
    <Stack>
      <Row>
        <Segments
          label={text.width}
          options={[
            { value: 'desktop', label: text.desktop },
            { value: 'phone', label: text.phone },
          ]}
          value={width}
          onChange={(value) => onChange({ width: value })}
        />
        <Segments
          label={text.scheme}
          options={[
            { value: 'light', label: text.light },
            { value: 'dark', label: text.dark },
          ]}
          value={scheme}
          onChange={(value) => onChange({ scheme: value })}
        />
        {remote.https > 0 && !areAllowed && <Button onClick={() => setAllowed(true)}>{text.loadImages}</Button>}
      </Row>
      <Quiet isSmall>
        {areAllowed ? text.withImages : text.isolated} {remote.http > 0 && text.plainImages(remote.http)}
      </Quiet>
      <div className={styles.ground}>
        <div className={classes(styles.sheet, width === 'phone' && styles.phone)}>
          <MailFrame
            html={html}
            {...(images !== undefined && { images })}
            scheme={scheme}
            allowRemoteImages={areAllowed}
            title={text.frame}
            onShown={({ remoteImages }) => setRemote(remoteImages)}
          />
        </div>
      </div>
    </Stack>
  )
}
