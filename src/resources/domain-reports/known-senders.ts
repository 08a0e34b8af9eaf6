/** Services that many companies send their mail by. */
interface KnownSender {
  name: string
  /** Their hosts' names end in one of these. */
  hosts: readonly string[]
  /** The SPF record that they ask their customers to include. */
  spf?: string
}

export const knownSenders: readonly KnownSender[] = [
  { name: 'Google', hosts: ['google.com', 'googlemail.com', '1e100.net'], spf: '_spf.google.com' },
  { name: 'Microsoft 365', hosts: ['outlook.com', 'hotmail.com', 'office365.com'], spf: 'spf.protection.outlook.com' },
  { name: 'Amazon SES', hosts: ['amazonses.com'], spf: 'amazonses.com' },
  { name: 'SendGrid', hosts: ['sendgrid.net'], spf: 'sendgrid.net' },
  { name: 'Mailgun', hosts: ['mailgun.net', 'mailgun.org', 'mailgun.co'], spf: 'mailgun.org' },
  { name: 'Mailchimp', hosts: ['mcsv.net', 'mcdlv.net', 'rsgsv.net'], spf: 'servers.mcsv.net' },
  { name: 'Mandrill', hosts: ['mandrillapp.com'], spf: 'spf.mandrillapp.com' },
  { name: 'Postmark', hosts: ['mtasv.net'], spf: 'spf.mtasv.net' },
  { name: 'Brevo', hosts: ['brevo.com', 'sendinblue.com', 'mailin.fr'], spf: 'spf.brevo.com' },
  { name: 'SparkPost', hosts: ['sparkpostmail.com', 'e.sparkpost.com'], spf: '_spf.sparkpostmail.com' },
  { name: 'Mailjet', hosts: ['mailjet.com'], spf: 'spf.mailjet.com' },
  { name: 'Zoho', hosts: ['zoho.com', 'zoho.eu', 'zohomail.com', 'zcsend.net'], spf: 'zohomail.com' },
  { name: 'Fastmail', hosts: ['messagingengine.com'], spf: 'spf.messagingengine.com' },
  { name: 'Proton', hosts: ['proton.ch', 'protonmail.ch'], spf: '_spf.protonmail.ch' },
  { name: 'Apple iCloud', hosts: ['icloud.com', 'me.com'], spf: 'icloud.com' },
  { name: 'Yahoo', hosts: ['yahoo.com', 'yahoo.co.jp'] },
  { name: 'Salesforce', hosts: ['salesforce.com', 'exacttarget.com', 'et.com'], spf: '_spf.salesforce.com' },
  { name: 'HubSpot', hosts: ['hubspotemail.net', 'hubspot.com'] },
  { name: 'Klaviyo', hosts: ['klaviyomail.com'] },
  { name: 'Zendesk', hosts: ['zendesk.com'], spf: 'mail.zendesk.com' },
  { name: 'Constant Contact', hosts: ['constantcontact.com', 'ccsend.com'], spf: 'spf.constantcontact.com' },
  { name: 'Proofpoint', hosts: ['pphosted.com', 'ppe-hosted.com'] },
  { name: 'Mimecast', hosts: ['mimecast.com'], spf: '_netblocks.mimecast.com' },
  { name: 'IONOS', hosts: ['kundenserver.de', 'perfora.net', '1and1.com'], spf: '_spf.kundenserver.de' },
  { name: 'GMX and WEB.DE', hosts: ['gmx.net', 'web.de'] },
  { name: 'OVHcloud', hosts: ['ovh.net'], spf: 'mx.ovh.com' },
  { name: 'Gandi', hosts: ['gandi.net'], spf: '_mailcust.gandi.net' },
  { name: 'Mail.ru', hosts: ['mail.ru'], spf: '_spf.mail.ru' },
  { name: 'Yandex', hosts: ['yandex.net', 'yandex.ru'], spf: '_spf.yandex.net' },
]

/** The sender whose host has this name. */
export const senderOfHost = (host: string): string | undefined =>
  knownSenders.find(({ hosts }) => hosts.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))?.name
