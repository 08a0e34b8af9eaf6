import { words } from '../../words/words.ts'

const browsers = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'Mac'],
  ['Windows', 'Windows'],
  ['Linux', 'Linux'],
] as const

/** A name for what is made on this device, which the person can change. */
export function deviceName(userAgent: string): string {
  const nameIn = (known: readonly (readonly [string, string])[]): string | undefined =>
    known.find(([sign]) => userAgent.includes(sign))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined || system === undefined) return browser ?? system ?? words.me.passkeys.thisDevice
  return words.me.passkeys.ofDevice(browser, system)
}
