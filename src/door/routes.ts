/** How people come in and out, and look after their account: outside of the API, for our own pages only. */
import { pageRequest } from '../http/pagination.ts'
import { route, type Route } from '../http/route.ts'
import { passkeyView } from '../resources/people/index.ts'
import { Door, type DoorOptions } from './door.ts'
import * as shapes from './schema.ts'

/** The largest body is an account's preferences, or a passkey with a long attestation. */
const bodyLimit = 64 * 1024

/** Open to everybody who comes by one of our pages. */
const visitor = { context: 'visitor', scope: null, bodyLimit } as const
/** For those who are signed in. */
const session = { context: 'session', scope: null, bodyLimit } as const

export function doorRoutes(options: DoorOptions): Route[] {
  const door = new Door(options)
  return [...comingIn(door, options), ...accountRoutes(door, options), ...sessionRoutes(door, options)]
}

const comingIn = (door: Door, { people: { signIn, settingUp, invitations, recovery, passkeys } }: DoorOptions) => [
  route({
    ...visitor,
    method: 'GET',
    path: '/session',
    summary: 'Who is signed in, and what they may do.',
    reply: { 200: shapes.SignedInView },
    handle: ({ visitor: who }) => door.whoIs(who),
  }),
  route({
    ...visitor,
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out.',
    reply: { 200: shapes.SignedOut },
    handle: ({ visitor: who }) => door.signOut(who),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/password',
    summary: 'Sign in with a password.',
    body: shapes.SignInWithPassword,
    reply: { 200: shapes.SignedInView },
    handle: async ({ visitor: who, body }) => door.letIn(200, await signIn.withPassword(who, body)),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/passkey/options',
    summary: 'What a browser needs to use a passkey, or to make one for a person who is about to join.',
    reply: { 200: shapes.PasskeyOptions },
    handle: () => passkeys.options(null),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/passkey',
    summary: 'Sign in with a passkey.',
    body: shapes.SignInWithPasskey,
    reply: { 200: shapes.SignedInView },
    handle: async ({ visitor: who, body }) => door.letIn(200, await signIn.withPasskey(who, body.credential)),
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/confirm',
    summary: 'Prove again who you are.',
    body: shapes.Confirm,
    reply: { 200: shapes.Confirmed },
    handle: async ({ visitor: who, session: current, body }) =>
      door.confirmed(await signIn.confirm(who, current, body)),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/setup',
    summary: 'Become the first owner.',
    body: shapes.SetUp,
    reply: { 201: shapes.SignedInView },
    handle: async ({ visitor: who, body }) => door.letIn(201, await settingUp.setUp(who, body)),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/invitation/read',
    summary: 'What an invitation is for.',
    body: shapes.ReadInvitation,
    reply: { 200: shapes.InvitationToMe },
    handle: ({ body }) => invitations.read(body.token),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/invitation',
    summary: 'Accept an invitation.',
    body: shapes.Join,
    reply: { 201: shapes.SignedInView },
    handle: async ({ visitor: who, body }) => door.letIn(201, await invitations.accept(who, body)),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/recovery',
    summary: 'Ask for a link by mail. The answer does not tell whether there is such a person.',
    body: shapes.AskRecovery,
    reply: { 202: shapes.Asked },
    handle: ({ visitor: who, body }) => recovery.ask(who, body.email),
  }),
  route({
    ...visitor,
    method: 'POST',
    path: '/session/recovery/finish',
    summary: 'Choose a new password or passkey.',
    body: shapes.FinishRecovery,
    reply: { 200: shapes.SignedInView },
    handle: async ({ visitor: who, body }) => door.letIn(200, await recovery.finish(who, body)),
  }),
]

const accountRoutes = (door: Door, { people: { accounts } }: DoorOptions) => [
  route({
    ...session,
    method: 'PATCH',
    path: '/session/me',
    summary: 'Change your own account.',
    body: shapes.UpdateMe,
    reply: { 200: shapes.SignedInView },
    handle: async ({ session: current, body }) => {
      await accounts.update(current, body)
      return door.describe(current)
    },
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/me/password',
    summary: 'Set a password. All other sessions end.',
    body: shapes.ChangePassword,
    reply: { 200: shapes.SignedInView },
    needsConfirmation: true,
    handle: async ({ session: current, actor, body }) =>
      door.letIn(200, await accounts.changePassword(current, actor, body.password)),
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/me/passkeys/options',
    summary: 'What a browser needs to make a passkey.',
    reply: { 200: shapes.PasskeyCreationOptions },
    needsConfirmation: true,
    handle: ({ session: current }) => accounts.passkeyOptions(current),
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/me/passkeys',
    summary: 'Add a passkey.',
    body: shapes.AddPasskey,
    reply: { 201: shapes.PasskeyView },
    needsConfirmation: true,
    handle: async ({ session: current, actor, body }) =>
      passkeyView(await accounts.addPasskey(current, actor, body.name, body.credential)),
  }),
  route({
    ...session,
    method: 'PATCH',
    path: '/session/me/passkeys/:id',
    summary: 'Rename a passkey.',
    params: { id: 'psk' },
    body: shapes.RenamePasskey,
    reply: { 200: shapes.PasskeyView },
    handle: async ({ session: current, actor, params, body }) =>
      passkeyView(await accounts.renamePasskey(current, actor, params.id, body.name)),
  }),
  route({
    ...session,
    method: 'DELETE',
    path: '/session/me/passkeys/:id',
    summary: 'Remove a passkey. All other sessions end.',
    params: { id: 'psk' },
    reply: { 200: shapes.RemovedPasskey },
    needsConfirmation: true,
    handle: async ({ session: current, actor, params }) => {
      const { removed, ...started } = await accounts.removePasskey(current, actor, params.id)
      return door.withCookie(200, removed, started)
    },
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/me/totp',
    summary: 'Get a secret for an authenticator. It counts after its first code was confirmed.',
    reply: { 201: shapes.TotpSecret },
    needsConfirmation: true,
    handle: ({ session: current }) => accounts.proposeTotp(current),
  }),
  route({
    ...session,
    method: 'POST',
    path: '/session/me/totp/confirm',
    summary: 'Confirm the first code. The answer holds the recovery codes, this once.',
    body: shapes.ConfirmTotp,
    reply: { 200: shapes.RecoveryCodes },
    needsConfirmation: true,
    handle: async ({ visitor: who, session: current, actor, body }) => {
      const { recoveryCodes, ...started } = await accounts.enableTotp(who, current, actor, body.code)
      return door.withCookie(200, { recoveryCodes }, started)
    },
  }),
  route({
    ...session,
    method: 'DELETE',
    path: '/session/me/totp',
    summary: 'Sign in without an authenticator from now on.',
    reply: { 200: shapes.SignedInView },
    needsConfirmation: true,
    handle: async ({ session: current, actor }) => door.letIn(200, await accounts.disableTotp(current, actor)),
  }),
]

const sessionRoutes = (door: Door, { sessions }: DoorOptions) => [
  route({
    ...session,
    method: 'GET',
    path: '/session/me/sessions',
    summary: 'Where you are signed in.',
    query: shapes.ListMySessions,
    reply: { 200: shapes.MySessions },
    handle: ({ session: current, query }) => door.sessionsOf(current, pageRequest(query)),
  }),
  route({
    ...session,
    method: 'DELETE',
    path: '/session/me/sessions/:id',
    summary: 'Sign out one of your sessions.',
    params: { id: 'ses' },
    reply: { 200: shapes.EndedSession },
    handle: ({ session: { personId }, actor, params }) => sessions.endOne(actor, personId, params.id),
  }),
  route({
    ...session,
    method: 'DELETE',
    path: '/session/me/sessions',
    summary: 'Sign out all of your other sessions.',
    reply: { 200: shapes.EndedSessions },
    handle: async ({ session: { personId, sessionId }, actor }) => ({
      ended: await sessions.endAll(actor, personId, sessionId),
    }),
  }),
]
