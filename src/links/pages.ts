/**
 * The pages behind the links in a mail: plain HTML in the name of the project, without a script, a cookie or anything
 * from other hosts.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { encodeId } from '../core/ids.ts'
import { Markup, markup, type Part } from '../core/markup.ts'
import type { SubscriptionState } from '../resources/emails/index.ts'

export interface Page {
  status: number
  html: string
}

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8')

/** All pages have these headers. The address of a page gives access to it, so browsers must not pass it on. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

/** Asks, or says how it is. `path` is where it was reached. */
export function unsubscribePage(state: SubscriptionState, path: string): Page {
  const { own, isMailing } = state
  if (!isMailing) return testPage(state)
  if (own === undefined) return gonePage(state, path)
  return own.subscribed ? askPage(state, path, own.audience) : leftPage(state, path, own.audience)
}

const askPage = (state: SubscriptionState, path: string, audience: string): Page =>
  page(
    200,
    'Unsubscribe?',
    markup`${from(state)}
<h1>Unsubscribe?</h1>
<p>${state.email} will get no more mail from the list <strong>${audience}</strong>.</p>
${button(path, 'unsubscribe', 'Unsubscribe')}
${preferencesLink(path)}`,
  )

const leftPage = (state: SubscriptionState, path: string, audience: string): Page =>
  page(
    200,
    'You are unsubscribed',
    markup`${from(state)}
<h1>You are unsubscribed</h1>
<p role="status">${state.email} gets no more mail from the list <strong>${audience}</strong>.</p>
<p>Was that a slip? You can come back.</p>
${button(path, 'resubscribe', 'Subscribe again', 'other')}
${preferencesLink(path)}`,
  )

const gonePage = (state: SubscriptionState, path: string): Page =>
  page(
    200,
    'You are unsubscribed',
    markup`${from(state)}
<h1>You are not on this list any more</h1>
<p role="status">There is nothing left to do: no more mail from it goes to ${state.email}.</p>
${state.memberships.length > 0 && preferencesLink(path)}`,
  )

const testPage = (state: SubscriptionState): Page =>
  page(
    200,
    'A test message',
    markup`${from(state)}
<h1>This was a test message</h1>
<p>It was sent to you to try it out, and not because you are on a list. So there is nothing to unsubscribe from. In the
real message, this page asks whether to unsubscribe.</p>`,
  )

export function preferencesPage(state: SubscriptionState, path: string, isSaved: boolean): Page {
  const { memberships, isMailing, email } = state
  if (!isMailing) return testPage(state)
  if (memberships.length === 0) return gonePage(state, path)
  return page(
    200,
    'What you receive',
    markup`${from(state)}
<h1>What you receive</h1>
${isSaved && markup`<p role="status">Saved.</p>`}
<form method="post" action="${path}">
<fieldset><legend>Mail to ${email}</legend>
${memberships.map(choice)}</fieldset>
<button type="submit">Save</button>
</form>
<p class="quiet">Clear every box to get none of this mail.</p>`,
  )
}

/** The form repeats what was shown: a list that was added since must not count as refused. */
function choice({ contactId, audience, subscribed }: SubscriptionState['memberships'][number]): Markup {
  const id = encodeId('con', contactId)
  const checked = subscribed && new Markup(' checked')
  return markup`<input type="hidden" name="shown" value="${id}">
<label><input type="checkbox" name="keep" value="${id}"${checked}> ${audience}</label>\n`
}

/** This page is the same for every fault of a link. */
export const unknownLinkPage: Page = page(
  404,
  'This link does not work',
  markup`<h1>This link does not work</h1>
<p>It may be incomplete: some mail programs break long links in two. Please follow it in the message once more, or copy it
as a whole.</p>`,
)

export const notUnderstoodPage: Page = page(
  400,
  'Nothing was changed',
  markup`<h1>Nothing was changed</h1>
<p>We did not understand this request. Please follow the link in the message once more.</p>`,
)

/** Something failed that the reader cannot help. */
export const failurePage = (status: number): Page =>
  page(
    status,
    'Please try again',
    markup`<h1>Please try again</h1>
<p>This did not work, and nothing was changed. Please try again in a minute.</p>`,
  )

const from = ({ projectName }: SubscriptionState): Markup => markup`<p class="from">${projectName}</p>`

const button = (path: string, action: string, label: string, look: Part = false): Markup =>
  markup`<form method="post" action="${path}"><input type="hidden" name="action" value="${action}">
<button type="submit"${look && markup` class="${look}"`}>${label}</button></form>`

const preferencesLink = (path: string): Markup =>
  markup`<p><a href="${path.replace(/\/preferences$/, '')}/preferences">Choose what you receive</a></p>`

function page(status: number, title: string, content: Markup): Page {
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
  return { status, html: text }
}
