/** The parts of the API document, in the order in which one reads them. */
const parts: readonly (readonly [tag: string, description: string, paths: RegExp])[] = [
  ['emails', 'Send email, one or many at once, and see what became of it.', /^\/emails?\b/],
  ['domains', 'The domains that mail is sent from, and the DNS records that they need.', /^\/domains\b/],
  ['templates', 'Mail that is written once and filled in when it is sent.', /^\/templates\b/],
  ['suppressions', 'Addresses that are not mailed any more.', /^\/suppressions\b/],
  ['webhooks', 'Endpoints that are told what happens, and every attempt to tell them.', /^\/webhooks\b/],
  ['receiving', 'Domains that mail is received at, and the mail that came.', /^\/receiving\b/],
  ['contacts', 'The people in an audience, with their consent; imports and exports.', /^\/audiences\/:id\/contacts\b/],
  ['audiences', 'Lists of people who want to get mail.', /^\/audiences\b/],
  ['contact-tags', 'Words that people are sorted by.', /^\/contact-tags\b/],
  ['broadcasts', 'One email to everybody in an audience.', /^\/broadcasts\b/],
  ['automations', 'Emails that follow each other by themselves after somebody joins or is tagged.', /^\/automations\b/],
  ['sms', 'Text messages: sending, who agreed to them, who may send them, and what they cost.', /^\/sms\b/],
  ['queue', 'Where mail waits and why; pausing a destination, resuming it, and trying at once.', /^\/queue\b/],
  ['sending', 'Whether anything leaves the installation.', /^\/sending\b/],
  ['search', 'Find things by id, address or name, and everything about an address.', /^\/(search|addresses)\b/],
  ['projects', 'What everything else belongs to, with quotas of its own.', /^\/projects\b/],
  ['api-keys', 'Who may call the API, and for what.', /^\/api-keys\b/],
  ['statistics', 'What became of mail and webhooks, in numbers.', /^\/statistics\b/],
  ['audit-log', 'Who did what, and when.', /^\/audit-log\b/],
  ['live', 'What changes, told at once.', /^\/live\b/],
  ['notices', 'What somebody should look at.', /^\/notices\b/],
  ['installation', 'How the machines are, and what others wrote to their operator.', /^\/(installation|operator)\b/],
  ['people', 'Who works here: roles, invitations, and where they are signed in.', /^\/people\b/],
  ['workspace', 'What all projects belong to, and how careful its people have to be.', /^\/workspace\b/],
  ['health', 'Whether the service is there.', /^\/health\b/],
]

export const tagOf = (path: string): string =>
  parts.find(([, , paths]) => paths.test(path))?.[0] ?? path.split('/')[1] ?? ''

/** The tags of these paths, in that order. */
export function tagsOf(paths: readonly string[]): { name: string; description?: string }[] {
  const used = new Set(paths.map(tagOf))
  const known = parts.map(([name, description]) => ({ name, description }))
  const unknown = [...used].filter((tag) => known.every(({ name }) => name !== tag)).map((name) => ({ name }))
  return [...known.filter(({ name }) => used.has(name)), ...unknown]
}
