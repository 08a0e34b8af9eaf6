import { readFileSync } from 'node:fs'

/** The lines of `fixtures/replies/wordings.txt`, whose head says what they mean. */
export interface Wording {
  reason: string
  /** When somebody may be suppressed for it. */
  suppresses: 'never' | 'code' | 'words' | 'spam' | 'spam!'
  /** The host that says it. */
  host: string
  reply: string
}

const file = new URL('../fixtures/replies/wordings.txt', import.meta.url)

/** A host of each provider by whose name the provider is known. */
const hosts: Readonly<Record<string, string>> = {
  '': 'mx.example.net',
  google: 'gmail-smtp-in.l.google.com',
  microsoft: 'example-net.mail.protection.outlook.com',
  yahoo: 'mta5.am0.yahoodns.net',
  apple: 'mx01.mail.icloud.com',
  comcast: 'mx1.comcast.net',
  cox: 'cxr.mx.a.cloudfilter.cox.net',
  spectrum: 'mx0.charter.net',
  'united-internet': 'mx00.gmx.net',
  't-online': 'mx00.t-online.de',
  orange: 'smtp-in.orange.fr',
  laposte: 'smtpz4.laposte.net',
  free: 'mx1.free.fr',
  sfr: 'smtp-in.sfr.fr',
  yandex: 'mx.yandex.ru',
  'mail-ru': 'mxs.mail.ru',
  tencent: 'mx1.qq.com',
  netease: '163mx01.mxmail.netease.com',
  fastmail: 'in1-smtp.messagingengine.com',
  proton: 'mail.protonmail.ch',
  zoho: 'mx.zoho.com',
  rackspace: 'mx1.emailsrvr.com',
  godaddy: 'mailstore1.secureserver.net',
  cloudflare: 'route1.mx.cloudflare.net',
  proofpoint: 'mx0a-00000000.pphosted.com',
  mimecast: 'eu-smtp-inbound-1.mimecast.com',
  barracuda: 'd1.ess.barracudanetworks.com',
  symantec: 'cluster1.eu.messagelabs.com',
  cisco: 'mx1.example.iphmx.com',
  trendmicro: 'in.hes.trendmicro.com',
  sophos: 'mx-01.prod.hydra.sophos.com',
}

export const wordings: readonly Wording[] = readFileSync(file, 'utf8')
  .split(/^== /m)
  .slice(1)
  .flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n').filter((line) => line !== '')
    const [, reason = '', suppresses = ''] = /^(.*) \[(.*)\]$/.exec(heading) ?? []
    return lines.map((line) => {
      const [, provider = '', reply = ''] = /^(?:([a-z-]+)> )?(.*)$/.exec(line) ?? []
      return { reason, suppresses: suppresses as Wording['suppresses'], host: hosts[provider] ?? '', reply }
    })
  })
