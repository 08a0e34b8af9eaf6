import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Arrived {
  /** By the `Delivered-To` or `Envelope-To` that the last host has put in front. */
  to: string
  /** What that host and those before it have put in front, without line breaks inside a field. */
  transport: string[]
  /** The rest, with line breaks as they travel. */
  raw: Buffer
}

const transportField =
  /^(Return-Path|Received|X-Original-To|Delivered-To|Envelope-to|Delivery-date|Authentication-Results): /i

/** Every mail in a Maildir. On disk lines end as the system's do. */
export function readMaildir(folder: string): Arrived[] {
  const mails = join(folder, 'new')
  if (!existsSync(mails)) return []
  return readdirSync(mails).map((file) => {
    // A bare CR would be a finding; it survives this, and then there is a difference.
    let rest = readFileSync(join(mails, file), 'latin1').replaceAll('\n', '\r\n')
    const transport: string[] = []
    for (;;) {
      const [field] = /^.*\r\n(?:[ \t].*\r\n)*/.exec(rest) ?? []
      if (field === undefined || !transportField.test(field)) break
      transport.push(field.replaceAll('\r\n', '').replaceAll(/[ \t]+/g, ' '))
      rest = rest.slice(field.length)
    }
    const to = transport.flatMap((field) => /^(?:Delivered-To|Envelope-to): (.*)$/i.exec(field)?.[1] ?? [])[0] ?? ''
    return { to: Buffer.from(to, 'latin1').toString(), transport, raw: Buffer.from(rest, 'latin1') }
  })
}
