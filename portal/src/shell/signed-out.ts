import { forgetAllKept } from '../kit/kept.ts'
import { to } from './to.ts'

/** All tabs of a browser share one session: who signs out in one of them is signed out in all. */
const CHANNEL = 'posthouse'
const SIGNED_OUT = 'signed out'

let isLeft = false

/** Whether the page goes because nobody is signed in any more. Nothing asks then whether to stay. */
export const isSignedOut = (): boolean => isLeft

/** The session has ended. Whoever signs in comes back to this page, and finds what was typed. */
export function leaveForSignIn(): Promise<never> {
  const { pathname, search } = globalThis.location
  return leaveFor(to.signIn(pathname + search))
}

/** The person has signed out: here, and in the other tabs. */
export function leaveSignedOut(): Promise<never> {
  const tabs = new BroadcastChannel(CHANNEL)
  tabs.postMessage(SIGNED_OUT)
  tabs.close()
  return leaveAndForget()
}

function leaveAndForget(): Promise<never> {
  forgetAllKept()
  return leaveFor(to.signIn())
}

function leaveFor(address: string): Promise<never> {
  hide()
  globalThis.location.replace(address)
  return new Promise(() => undefined)
}

/** The same page, for whoever is signed in now. */
export function startAnew(): Promise<never> {
  hide()
  globalThis.location.reload()
  return new Promise(() => undefined)
}

/** What was shown goes at once, however long the next page takes. */
function hide(): void {
  isLeft = true
  document.body.hidden = true
}

/** Hears of other tabs, and lets no browser keep a page to show it again when nobody is signed in any more. */
export function watchSigningOut(): void {
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => {
    if (data === SIGNED_OUT) void leaveAndForget()
  })
  addEventListener('pagehide', () => {
    document.body.hidden = true
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void startAnew()
  })
}
