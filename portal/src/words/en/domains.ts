import { counted } from '../counting.ts'

const plural = (one: string, other: string) => counted('en', { one, other })

/** Sending domains, their DNS records, and the panels in which people create them. */
export const domains = {
  title: 'Domains',
  find: 'Name',
  columns: { name: 'Name', status: 'Status', missing: 'Records', looked: 'Looked at', added: 'Added' },
  filters: { status: 'Status' },
  missing: plural('# is missing', '# are missing'),
  complete: 'All there',
  empty: {
    title: 'No domain yet',
    action: 'Add the first domain',
    sentence:
      'Mail is sent in the name of a domain of yours. A few records in its DNS prove that it is yours and let receivers trust what you send.',
  },
  add: {
    action: 'Add a domain',
    title: 'Add a domain',
    name: 'Domain',
    nameHint: 'What stands behind the @ of your sender address, such as example.com or mail.example.com.',
    add: 'Add',
    added: 'The domain was added. Now create its records.',
  },
  look: { action: 'Look now', next: 'We look again', every: 'This page looks every 10 seconds by itself.' },
  turned: (name: string) => `${name} is verified.`,
  state: {
    pending: 'These records are to be created. The domain is verified as soon as all required ones are found.',
    warning: 'A record that was there is missing. Mail is sent for a day after it went; then the domain fails.',
    failed: 'A record has been missing for more than a day, so nothing is sent from this domain.',
  },
  record: {
    titles: {
      dkim: 'DKIM',
      'return-path-mx': 'Return path, MX',
      'return-path-spf': 'Return path, SPF',
      dmarc: 'DMARC',
      tracking: 'Links in mail',
      'receiving-mx': 'Incoming mail, MX',
      'receiving-proof': 'Proof',
      'receiving-tls-reports': 'Reports about encryption',
    },
    withSelector: (title: string, selector: string) => `${title} · ${selector}`,
    purposes: {
      dkim: 'The public key with which receivers check that your mail was signed by you and not changed on its way.',
      'return-path-mx':
        'Brings messages about undelivered mail back here, so that addresses that do not work are known.',
      'return-path-spf': 'Tells receivers that this installation may send mail for your return path.',
      dmarc:
        'Tells receivers what to do with mail in your name that is not yours. It is good to have and not required.',
      tracking: 'Lets links in your mail lead over a name of yours. Until it is there they lead over ours.',
      'receiving-mx': 'Brings mail for this domain to us.',
      'receiving-proof': 'Proves that the domain is yours.',
      'receiving-tls-reports':
        'Asks senders to report mail that they could not send encrypted. It is good to have and not required.',
    },
    states: { verified: 'Found', pending: 'Missing', mismatch: 'Different' },
    type: 'Type',
    host: 'Host',
    copyHost: 'Copy host',
    fullName: 'Full name',
    priority: 'Priority',
    value: 'Value',
    copyValue: 'Copy value',
    valueOf: (title: string) => `Value of ${title}`,
    optional: 'Not required',
    seen: 'Seen instead',
    saidBy: (server: string) => `Said by ${server}`,
    notAsked: 'Not looked up yet.',
    unknownServer: 'Looked at',
    sameFor: (duration: string) => `That server may say the same for another ${duration}.`,
  },
  missingAll: {
    title: 'All that is missing',
    sentence: 'For a DNS that takes files, or for whoever looks after it.',
    form: 'Form',
    forms: { zone: 'Zone file', text: 'Text to send' },
    zone: 'Zone file',
    text: 'Text to send',
    copyZone: 'Copy the zone file',
    copyText: 'Copy the text',
    download: 'Download the zone file',
  },
  /** What is sent to a person who looks after the DNS, and cannot see this page. */
  letter: {
    begin: (domain: string) =>
      `Hello,\n\nplease create these DNS records for ${domain}. They let us send mail in its name.\n`,
    record: (place: number, purpose: string) => `${place}. ${purpose}`,
    type: (type: string) => `   Type: ${type}`,
    name: (name: string, host: string) => `   Name: ${name} (many panels want only: ${host})`,
    priority: (priority: number) => `   Priority: ${priority}`,
    value: (value: string) => `   Value: ${value}`,
    instead: '   There is another record of this kind at this name now: replace it.',
    end: 'The values have no quotation marks and no line breaks. A TTL of 3600 is fine.\n\nThank you.',
  },
  host: {
    title: 'Where the DNS is',
    recognised: (name: string) => `The zone is hosted by ${name}, as its name servers tell.`,
    other: 'The zone is hosted where we do not know the panel.',
    unknown: 'Who hosts the zone is found out at the first look.',
    servers: 'Name servers',
    steps: (name: string) => `Steps at ${name}`,
    trap: 'Take care',
  },
  hosts: {
    cloudflare: {
      name: 'Cloudflare',
      steps: [
        'Open the domain, then DNS, Records.',
        'Choose Add record, and the type.',
        'Put the host into Name and the value into Content (for MX: Mail server).',
      ],
      trap: 'A CNAME must be “DNS only” (grey cloud): a proxied one is answered with addresses of Cloudflare.',
    },
    route53: {
      name: 'Amazon Route 53',
      steps: [
        'Open Hosted zones and the zone.',
        'Choose Create record, and the type.',
        'Put the host into Record name and the value into Value.',
      ],
      trap: 'A text over 255 characters must be in pieces, each in quotation marks, with a space between: take the lines of the zone file. For MX the priority stands before the value, with a space between.',
    },
    hetzner: {
      name: 'Hetzner',
      steps: [
        'Open the zone in the DNS console.',
        'Choose Add record, and the type.',
        'Put the host into Name and the value into Value.',
      ],
      trap: 'A target without a dot at its end gets the zone appended: write MX and CNAME targets with a final dot.',
    },
    ovh: {
      name: 'OVHcloud',
      steps: [
        'Open Web Cloud, Domain names, the domain, DNS zone.',
        'Choose Add an entry, and the type.',
        'Put the host into Sub-domain and the value into Target or Value.',
      ],
      trap: 'Targets of MX and CNAME need a dot at their end, or the zone is appended. Choose TXT and not the forms “SPF”, “DKIM” and “DMARC”: they build other values.',
    },
    ionos: {
      name: 'IONOS',
      steps: [
        'Open Domains & SSL, the domain, DNS.',
        'Choose Add record, and the type.',
        'Put the host into Host name and the value into Value or Points to.',
      ],
      trap: 'IONOS appends the domain by itself: enter the host alone, or it is there twice.',
    },
    godaddy: {
      name: 'GoDaddy',
      steps: [
        'Open the domain, then DNS, DNS records.',
        'Choose Add new record, and the type.',
        'Put the host into Name and the value into Value.',
      ],
      trap: 'GoDaddy appends the domain by itself: enter the host alone, or it is there twice.',
    },
    namecheap: {
      name: 'Namecheap',
      steps: [
        'Open the Domain List, Manage, Advanced DNS.',
        'Choose Add new record, and the type.',
        'Put the host into Host and the value into Value.',
      ],
      trap: 'MX records can be added only after Mail settings says “Custom MX”. The domain is appended by itself: enter the host alone.',
    },
    gandi: {
      name: 'Gandi',
      steps: [
        'Open the domain, then DNS Records.',
        'Choose Add record, and the type.',
        'Put the host into Name and the value into Text value or Hostname.',
      ],
      trap: 'Targets of MX and CNAME need a dot at their end, or the zone is appended.',
    },
    google: {
      name: 'Google Cloud DNS',
      steps: [
        'Open Cloud DNS and the zone.',
        'Choose Add standard, and the type.',
        'Put the host into DNS name and the value into the data field.',
      ],
      trap: 'A text over 255 characters must be in pieces, each in quotation marks, with a space between: take the lines of the zone file.',
    },
    azure: {
      name: 'Azure DNS',
      steps: [
        'Open the DNS zone, then Recordsets.',
        'Choose Add, and the type.',
        'Put the host into Name and the value into Value (for MX: Mail exchange; for CNAME: Alias).',
      ],
      trap: 'All TXT records of one name are one record set: add a value to the one that is there.',
    },
    digitalocean: {
      name: 'DigitalOcean',
      steps: [
        'Open Networking, Domains, the domain.',
        'Choose the type.',
        'Put the host into Hostname and the value into Value.',
      ],
      trap: 'Targets of MX and CNAME outside of the zone need a dot at their end, or the zone is appended.',
    },
    desec: {
      name: 'deSEC',
      steps: [
        'Open the domain.',
        'Choose the plus sign, and the type.',
        'Put the host into Subname and the value into the content.',
      ],
      trap: 'Targets of MX and CNAME need a dot at their end, and texts need quotation marks around them. The smallest TTL is 3600.',
    },
    other: {
      name: 'your DNS host',
      steps: [
        'Sign in where the name servers of the domain are looked after.',
        'Create a record of the type that the card names.',
        'Put the host into the field for the name, and the value into the field for the value.',
      ],
      trap: 'Most panels append the zone by themselves: enter the host alone, or it is there twice. Where “@” is not taken for the zone itself, leave the name empty. Where a text over 255 characters is refused, take the pieces of the zone file.',
    },
  },
  dmarc: {
    title: 'DMARC, part by part',
    none: 'There is no DMARC record. Begin with the one that is shown above: it changes nothing for your mail and asks for reports.',
    several: 'There are several DMARC records, and receivers ignore all of them. Keep one.',
    ignored: 'Receivers ignore this record: it has no policy that they understand.',
    record: 'The record that is there',
    copyRecord: 'Copy the record',
    parts: {
      v: 'The version. It comes first.',
      p: {
        none: 'Mail that fails is delivered as before. This is for watching.',
        quarantine: 'Mail that fails goes into the spam folder.',
        reject: 'Mail that fails is refused.',
      },
      sp: 'The policy for names below the domain.',
      np: 'The policy for names below the domain that do not exist.',
      rua: 'Where receivers send their daily reports.',
      ruf: 'Where receivers send a report of each failure. Hardly anybody does.',
      adkim: {
        r: 'DKIM may be signed by a name below or above the domain.',
        s: 'DKIM must be signed by exactly this name.',
      },
      aspf: {
        r: 'The return path may be a name below or above the domain.',
        s: 'The return path must be exactly this name: with ours, which is below it, SPF does not count and DKIM alone decides.',
      },
      pct: (share: string) => `The policy holds for ${share} % of the mail that fails.`,
      fo: 'When a report of a failure is wanted.',
      rf: 'The form of the reports of failures.',
      ri: 'How many seconds should be between two reports. Most receivers send one a day.',
      t: 'Whether the policy is only being tested.',
      psd: 'Whether the domain is a public suffix.',
    },
    problems: {
      unknown: 'DMARC has no such part; receivers ignore it.',
      malformed: 'The value is not written as it should be; receivers ignore this part.',
      repeated: 'This part is there already; receivers may ignore the whole record.',
      misplaced: 'This must be the first part; receivers ignore the record.',
    },
    nextTitle: 'The next step',
    next: {
      publish: 'Publish a record that receivers understand: it does nothing to your mail, and asks for reports.',
      collect: 'First let some reports come. They say what a stricter policy would do to your mail.',
      reports: 'Ask for reports first, so that you know who sends in your name before anything is refused.',
      quarantine: 'When the reports of some weeks name nobody whom you miss, send the rest to the spam folder.',
      full: 'The policy holds for a part of the mail only. Let it hold for all of it.',
      reject: 'When nothing that you miss is in spam folders, have the rest refused.',
      done: 'Nothing is left to do: mail in your name that is not yours is refused.',
    },
    nextRecord: 'The record of the next step',
    ours: (name: string) =>
      `Mail that leaves here in the name of ${name} is always signed by ${name}, so it passes whatever the policy is. What others send in its name is known from reports alone.`,
    oursUnsigned: (name: string) => `Nothing leaves here in the name of ${name} before it is verified.`,
  },
  dkim: {
    title: 'DKIM keys',
    sentence: 'One key of each kind signs. A new one takes over when its record is found.',
    states: { active: 'Signs', pending: 'Waits for its record', retired: 'Signs no more' },
    algorithms: { rsa: 'RSA', ed25519: 'Ed25519' },
    made: 'Made',
    keep: 'Keep its record until',
    rotate: 'Rotate',
    waiting: 'The newest key still waits for its record.',
    rotateTitle: 'Make a new DKIM key?',
    rotateSentence:
      'The present key goes on signing until the record of the new one is found, so no mail goes unsigned. Keep the old record for a week after that: mail under way was signed with it.',
    rotateAction: 'Make a new key',
    rotated: 'There is a new key. Create its record.',
  },
  tracking: {
    title: 'Tracking',
    sentence:
      'For mail that does not say otherwise. It tells you what people do with your mail; many do not want that, and in some places they have to agree first.',
    opens: 'Opens',
    opensHint:
      'Adds an invisible image to each mail. Many mail programs fetch it by themselves or not at all, so the numbers are rough.',
    clicks: 'Clicks',
    clicksHint: 'Leads every link over this installation, which then knows who followed it and when.',
    host: 'Host of the links',
    hostHint: (name: string) =>
      `A name below the domain, such as links.${name}. Empty is the host of this installation.`,
    save: 'Save',
    saved: 'The host of the links was changed.',
  },
  facts: { title: 'Facts', added: 'Added', verified: 'Verified', looked: 'Looked at', next: 'Next look', id: 'Id' },
  remove: {
    action: 'Delete',
    title: (name: string) => `Delete ${name}?`,
    keys: plural('Its # DKIM key signs nothing new any more.', 'Its # DKIM keys sign nothing new any more.'),
    sentence:
      'Mail from this domain is refused from now on, also of broadcasts and automations that are planned. Mail that was accepted before is still delivered: leave the records in the DNS for a week.',
    done: 'The domain was deleted.',
  },
}
