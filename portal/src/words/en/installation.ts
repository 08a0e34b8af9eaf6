import { counted } from '../counting.ts'

const days = counted('en', { one: '# day', other: '# days' })

/** Words of the page about the installation. */
export const installation = {
  title: 'Installation',
  note: 'Looked at in the background every few minutes.',
  checks: {
    title: 'Checks',
    check: 'Check',
    state: 'State',
    meaning: 'What it means',
  },
  outgoing: {
    name: 'Outgoing mail',
    states: { open: 'Gets out', relay: 'By a smarthost', blocked: 'Blocked', unknown: 'Not tried yet' },
    sentences: {
      open: 'Mail servers of others answer us on port 25.',
      relay: 'All mail goes to the server that SMTP_RELAY_URL names, which delivers it.',
      blocked:
        'No mail server of others answers on port 25. Ask your provider to open it, or name a smarthost in SMTP_RELAY_URL.',
      unknown: 'It is tried once a domain is verified and a worker runs.',
    },
  },
  names: {
    name: 'Name of the mail server',
    fits: 'Fits',
    differs: 'Does not fit',
    unknown: 'Not known',
    relay: 'Not needed',
    sentences: {
      fits: (hostname: string) => `${hostname} and its addresses lead to each other.`,
      relay: 'Others see the smarthost and its name.',
      unknown: (hostname: string) =>
        `The DNS has no address for ${hostname}. Set SMTP_HOSTNAME to a name that leads to this machine.`,
      differs: (hostname: string, addresses: string) =>
        `The PTR record of ${addresses} is not ${hostname}, or the name leads elsewhere. Many receivers refuse such mail: have the record set by whoever gave you the address.`,
    },
  },
  certificate: {
    name: 'Certificate of the mail server',
    left: counted('en', { one: '# day left', other: '# days left' }),
    none: 'None',
    sentences: {
      valid: 'Servers that write to us can encrypt.',
      ending: 'Put a new one in the file of SMTP_TLS_CERT. It is read by itself.',
      none: 'No node receives mail, or none has reported yet.',
    },
  },
  publicUrl: {
    name: 'Public address',
    secure: 'https',
    insecure: 'Not https',
    sentences: {
      secure: (url: string) => `Links in mail start with ${url}.`,
      insecure: (url: string) =>
        `Links in mail start with ${url}. One-click unsubscribe and passkeys need https: put a proxy with a certificate in front, and set PUBLIC_URL.`,
    },
  },
  masterKey: {
    name: 'Copy of the master key',
    kept: 'Kept elsewhere',
    title: 'Keep a copy of the master key.',
    sentences: {
      kept: 'A backup of the database can be read with it.',
      notKept:
        'Without the file master.key of the data directory no backup of the database can be used. Copy it to a safe place.',
    },
    note: 'I have a copy in a safe place',
    noted: 'Noted. The reminder is gone.',
  },
  addresses: {
    title: 'Addresses',
    address: 'Address',
    ptr: 'Name in the DNS',
    none: 'None',
    fits: 'Fits',
    differs: 'Does not fit',
    state: 'State',
  },
  processes: {
    title: 'Processes',
    node: 'Node',
    role: 'Process',
    state: 'State',
    restarts: 'Restarts',
    heard: 'Last heard',
    up: 'Up',
    down: 'Down',
    empty: 'No node has reported yet',
    emptySentence: 'Each node tells within a minute of its start which processes it runs.',
  },
  machines: {
    title: 'Database and disk',
    version: 'Version of Posthouse',
    startedAt: 'Running since',
    database: 'PostgreSQL',
    connections: 'Connections',
    ofLimit: (used: string, limit: string) => `${used} of ${limit}`,
    size: 'Size of the database',
    disk: 'Free on the fullest disk',
    ofTotal: (free: string, total: string) => `${free} of ${total}`,
    unknown: 'Not known yet',
    asOf: 'Looked at',
  },
  retention: {
    title: 'How long things are kept',
    bodies: 'Bodies and attachments of emails',
    events: 'What happened to emails',
    webhookDeliveries: 'Webhook deliveries',
    received: 'Received mail',
    days,
    set: 'Set by the operator with the variables RETAIN_…_DAYS.',
  },
  configuration: {
    title: 'Configuration',
    note: 'Of the server that answered. The operator sets these variables where it is started; passwords and keys are never shown.',
    show: 'Which settings',
    areSet: (count: string) => `Set (${count})`,
    all: (count: string) => `All (${count})`,
    variable: 'Variable',
    value: 'Set to',
    default: 'Default',
    meaning: 'Meaning',
    set: 'Set',
    notSet: 'Not set',
    none: '–',
  },
  mailbox: {
    title: 'Mail to the operator',
    note: 'What was written to postmaster@ and abuse@.',
    from: 'From',
    to: 'To',
    subject: 'Subject',
    time: 'Time',
    download: 'Download',
    actions: 'What can be done',
    noSender: 'A mail server',
    noSubject: 'No subject',
    empty: 'Nobody has written',
    emptySentence: 'Other operators write to postmaster@ and abuse@ when something is wrong with mail from here.',
  },
}
