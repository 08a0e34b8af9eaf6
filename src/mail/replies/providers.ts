/** Large receivers by the names of their mail hosts. What is known about each (limits, wording) is kept elsewhere. */
const suffixes: Readonly<Record<string, string>> = {
  'google.com': 'google',
  'googlemail.com': 'google',
  'smtp.goog': 'google',
  'outlook.com': 'microsoft',
  'hotmail.com': 'microsoft',
  'mx.microsoft': 'microsoft',
  'office365.us': 'microsoft',
  'outlook.cn': 'microsoft',
  'yahoodns.net': 'yahoo',
  'mail.yahoo.co.jp': 'yahoo-japan',
  'icloud.com': 'apple',
  'comcast.net': 'comcast',
  'cox.net': 'cox',
  'charter.net': 'spectrum',
  'gmx.net': 'united-internet',
  'web.de': 'united-internet',
  'kundenserver.de': 'united-internet',
  'ionos.com': 'united-internet',
  'ionos.co.uk': 'united-internet',
  'ionos.es': 'united-internet',
  'ionos.fr': 'united-internet',
  't-online.de': 't-online',
  'orange.fr': 'orange',
  'laposte.net': 'laposte',
  'free.fr': 'free',
  'sfr.fr': 'sfr',
  'libero.it': 'italiaonline',
  'tiscali.it': 'tiscali',
  'ovh.net': 'ovh',
  'yandex.ru': 'yandex',
  'yandex.net': 'yandex',
  'mail.ru': 'mail-ru',
  'qq.com': 'tencent',
  'netease.com': 'netease',
  'naver.com': 'naver',
  'messagingengine.com': 'fastmail',
  'protonmail.ch': 'proton',
  'zoho.com': 'zoho',
  'zoho.eu': 'zoho',
  'emailsrvr.com': 'rackspace',
  'secureserver.net': 'godaddy',
  'mx.cloudflare.net': 'cloudflare',
  'pphosted.com': 'proofpoint',
  'ppe-hosted.com': 'proofpoint',
  'mimecast.com': 'mimecast',
  'barracudanetworks.com': 'barracuda',
  'messagelabs.com': 'symantec',
  'iphmx.com': 'cisco',
  'trendmicro.com': 'trendmicro',
  'trendmicro.eu': 'trendmicro',
  'sophos.com': 'sophos',
}

/** The names of all of them. */
export const providers: readonly string[] = [...new Set(Object.values(suffixes))]

/** Returns undefined for a server that belongs to no known provider. */
export function providerOf(host: string): string | undefined {
  const labels = host.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const provider = suffixes[labels.slice(from).join('.')]
    if (provider !== undefined) return provider
  }
  return undefined
}
