/** The first that fits counts: most browsers also name those that they are compatible with. */
const browsers: readonly [name: string, form: RegExp][] = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bChromium\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly [name: string, form: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b|\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
]

/** The header names browser and system in its first words, if at all. */
const MAX_READ = 500

/** In words, as people know their devices: "Firefox on Windows". */
export function deviceOf(userAgent: string): string {
  const read = userAgent.slice(0, MAX_READ)
  const [browser, system] = [browsers, systems].map((known) => known.find(([, form]) => form.test(read))?.[0])
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}
