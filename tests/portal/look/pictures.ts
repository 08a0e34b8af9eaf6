/** What the pictures in `docs/portal` show: every page of the portal, some in more than one state. */
import type { Visitor } from '../support/visitor.ts'

/** How each is taken. */
export const forms = {
  light: { scheme: 'light', screen: 'wide' },
  dark: { scheme: 'dark', screen: 'wide' },
  narrow: { scheme: 'light', screen: 'narrow' },
} as const

export type Form = keyof typeof forms

/** Where the pages of the shop are. */
export interface Addresses {
  setUp: string
  invitation: string
  project: string
  email: string
  webhook: string
  received: string
  receivingDomain: string
  domain: string
  delivery: string
}

export interface Picture {
  /** The file is called `<name>-<form>.png`. */
  name: string
  /** The row of `portal/src/routes.tsx`; before somebody is signed in, the address. */
  path: string
  /** How far the shop has come: nobody owns it, its owner has just come in, or it is busy. */
  stage: 'new' | 'owned' | 'busy'
  isSignedIn: boolean
  open: (at: Addresses) => string
  /** What is on the page when it is complete. */
  shows: string | RegExp
  /** What the visitor does there before the picture is taken. */
  act?: (visitor: Visitor) => Promise<void>
}

const outside = { isSignedIn: false, stage: 'busy' } as const
const inside = { isSignedIn: true, stage: 'busy' } as const

export const pictures: readonly Picture[] = [
  {
    ...outside,
    name: 'set-up',
    path: '/setup',
    stage: 'new',
    open: ({ setUp }) => setUp,
    shows: 'Create the workspace',
    act: async (visitor) => {
      await visitor.field('Your name').fill('Ann Lee')
      await visitor.field('Email').fill('ann@shop.example')
    },
  },
  { ...outside, name: 'sign-in', path: '/sign-in', open: () => '/sign-in', shows: 'I cannot sign in' },
  {
    ...outside,
    name: 'invitation',
    path: '/invitation',
    open: ({ invitation }) => invitation,
    shows: /^Ann Lee invites you/,
  },
  { ...outside, name: 'recover', path: '/recover', open: () => '/recover', shows: 'Send the link' },
  {
    ...inside,
    name: 'first-steps',
    path: '/p/$projectId/overview',
    stage: 'owned',
    open: ({ project }) => `${project}/overview`,
    shows: 'First steps',
  },
  {
    ...inside,
    name: 'overview',
    path: '/p/$projectId/overview',
    open: ({ project }) => `${project}/overview`,
    shows: 'Your order 1051 is on its way',
  },
  {
    ...inside,
    name: 'emails',
    path: '/p/$projectId/emails',
    open: ({ project }) => `${project}/emails`,
    shows: 'Your order 1051 is on its way',
  },
  {
    ...inside,
    name: 'email',
    path: '/p/$projectId/emails/$emailId',
    open: ({ email }) => email,
    shows: 'Runs no script and loads nothing.',
    act: async (visitor) => {
      const outer = visitor.page.frameLocator('iframe[title="Preview of the email"]')
      await outer.frameLocator('iframe').getByText('Follow the parcel').waitFor()
    },
  },
  {
    ...inside,
    name: 'address',
    path: '/p/$projectId/addresses/$email',
    open: ({ project }) => `${project}/addresses/tom%40example.net`,
    shows: 'Suppressed',
  },
  {
    ...inside,
    name: 'queue',
    path: '/p/$projectId/queue',
    open: ({ project }) => `${project}/queue`,
    shows: /^451 4\.7\.1 Greylisted/,
  },
  {
    ...inside,
    name: 'destination',
    path: '/p/$projectId/queue/$destination',
    open: ({ project }) => `${project}/queue/mx.example.com`,
    shows: 'Hosts of the last 24 hours',
  },
  {
    ...inside,
    name: 'send',
    path: '/p/$projectId/send',
    open: ({ project }) => `${project}/send`,
    shows: 'Add variables',
    act: async (visitor) => {
      await visitor.field('From').fill('Shop <hello@shop.example>')
      await visitor.field('To').fill('lena@example.org,')
      await visitor.field('Subject').fill('Your teapot can be collected')
      const text = 'Hello Lena,\n\nyour teapot waits for you at the counter.\n\nThe shop'
      await visitor.page.getByRole('textbox', { name: 'Text', exact: true }).fill(text)
      await visitor.text('Nothing is wrong with it.').waitFor()
    },
  },
  {
    ...inside,
    name: 'inbox',
    path: '/p/$projectId/inbox',
    open: ({ project }) => `${project}/inbox`,
    shows: 'Can I collect it on Saturday?',
    act: (visitor) => visitor.press('j'),
  },
  {
    ...inside,
    name: 'received',
    path: '/p/$projectId/inbox/$receivedId',
    open: ({ received }) => received,
    shows: 'What the sender could prove',
  },
  {
    ...inside,
    name: 'receiving-domains',
    path: '/p/$projectId/inbox/domains',
    open: ({ project }) => `${project}/inbox/domains`,
    shows: 'in.shop.example',
  },
  {
    ...inside,
    name: 'receiving-domain',
    path: '/p/$projectId/inbox/domains/$receivingDomainId',
    open: ({ receivingDomain }) => receivingDomain,
    shows: 'Incoming mail, MX',
  },
  {
    ...inside,
    name: 'webhooks',
    path: '/p/$projectId/webhooks',
    open: ({ project }) => `${project}/webhooks`,
    shows: /hooks\/posthouse$/,
  },
  {
    ...inside,
    name: 'webhook',
    path: '/p/$projectId/webhooks/$webhookId',
    open: ({ webhook }) => webhook,
    shows: 'Working receivers',
  },
  {
    ...inside,
    name: 'delivery',
    path: '/p/$projectId/webhooks/$webhookId/deliveries/$deliveryId',
    open: ({ delivery }) => delivery,
    shows: 'Request headers',
  },
  {
    ...inside,
    name: 'domains',
    path: '/p/$projectId/domains',
    open: ({ project }) => `${project}/domains`,
    shows: 'news.shop.example',
  },
  {
    ...inside,
    name: 'domain',
    path: '/p/$projectId/domains/$domainId',
    open: ({ domain }) => domain,
    shows: 'Download the zone file',
  },
  {
    ...inside,
    name: 'suppressions',
    path: '/p/$projectId/suppressions',
    open: ({ project }) => `${project}/suppressions`,
    shows: 'tom@example.net',
  },
  {
    ...inside,
    name: 'keys',
    path: '/p/$projectId/keys',
    open: ({ project }) => `${project}/keys`,
    shows: 'Web shop',
  },
  {
    ...inside,
    name: 'log',
    path: '/p/$projectId/log',
    open: ({ project }) => `${project}/log`,
    shows: /added the webhook endpoint/,
  },
  { ...inside, name: 'workspace', path: '/settings', open: () => '/settings', shows: 'Id of the workspace' },
  {
    ...inside,
    name: 'projects',
    path: '/settings/projects',
    open: () => '/settings/projects',
    shows: 'Old shop',
  },
  { ...inside, name: 'people', path: '/settings/people', open: () => '/settings/people', shows: 'Chloé Martin' },
  {
    ...inside,
    name: 'installation',
    path: '/settings/installation',
    open: () => '/settings/installation',
    shows: 'post-1',
  },
  { ...inside, name: 'workspace-log', path: '/settings/log', open: () => '/settings/log', shows: /invited/ },
  { ...inside, name: 'me', path: '/me', open: () => '/me', shows: 'This one' },
]

export const fileOf = ({ name }: Picture, form: Form): string => `${name}-${form}.png`
