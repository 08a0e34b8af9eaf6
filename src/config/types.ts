import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Network } from '../net/networks.ts'

/**
 * A setting says how to read one variable, and what to tell people about it. `parse` throws a sentence when it cannot.
 */
export interface Setting<T> {
  variable: string
  form: string
  /** The default is written as an operator would; it is undefined where the variable has none. */
  default: string | undefined
  sentence: string
  parse(value: string): T
  /** The value as people may see it; null where they may only know that there is one. */
  shown(value: string): string | null
}

/** A setting with what the operator has set, without anything secret in it. */
export interface ShownSetting {
  variable: string
  form: string
  sentence: string
  default: string | null
  isSet: boolean
  /** As it was written; null where it is not set, and where it is a secret. */
  value: string | null
}

export const text = <D extends string | undefined>(variable: string, standard: D, sentence: string) =>
  setting<string | D>(variable, 'text', standard, sentence, (value) => value)

/** A text that only a few should know: it is never shown. */
export const secret = (variable: string, minLength: number, sentence: string): Setting<string | undefined> => ({
  ...setting<string | undefined>(
    variable,
    minLength > 1 ? `text of ${minLength} characters or more` : 'text',
    undefined,
    sentence,
    (value) => {
      if (value.length < minLength) throw new Error(`must have ${minLength} characters or more`)
      return value
    },
  ),
  shown: () => null,
})

export const bool = (variable: string, standard: boolean, sentence: string) =>
  setting(variable, '`true` or `false`', String(standard), sentence, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error('must be true or false')
    return value === 'true'
  })

export const integer = (variable: string, range: { min: number; max: number; default: number }, sentence: string) =>
  setting(variable, `whole number, ${range.min} to ${range.max}`, String(range.default), sentence, (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < range.min || number > range.max) {
      throw new Error(`must be a whole number from ${range.min} to ${range.max}`)
    }
    return number
  })

export const fraction = (variable: string, range: { min: number; max: number; default: number }, sentence: string) =>
  setting(variable, `number, ${range.min} to ${range.max}`, String(range.default), sentence, (value) => {
    const number = Number(value)
    if (!/^\d+(\.\d+)?$/.test(value) || number < range.min || number > range.max) {
      throw new Error(`must be a number from ${range.min} to ${range.max}`)
    }
    return number
  })

export const choice = <const C extends string>(
  variable: string,
  choices: readonly C[],
  standard: C,
  sentence: string,
) => setting(variable, choices.map((c) => `\`${c}\``).join(', '), standard, sentence, (value) => oneOf(choices, value))

/** The value is one or more of the choices, each once, separated by commas; the default is all of them. */
export const list = <const C extends string>(variable: string, choices: readonly C[], sentence: string) =>
  setting(variable, 'list', choices.join(','), sentence, (value) => [
    ...new Set(separated(value).map((item) => oneOf(choices, item))),
  ])

export const url = (variable: string, protocols: readonly string[], sentence: string): Setting<string | undefined> => ({
  ...setting<string | undefined>(variable, 'URL', undefined, sentence, (value) => {
    // Several PostgreSQL hosts, and a socket without a host, are no URL to the standard; the scheme still is checked.
    const parsed = URL.parse(value.replace(/(@|:\/\/)[^/?@]*,[^/?]*/, '$1hosts').replace(/@\//, '@socket/'))
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new Error(`must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    // Over HTTP browsers would not send them, and the features that need them would fail without a message.
    if (parsed.protocol.startsWith('http') && `${parsed.username}${parsed.password}` !== '') {
      throw new Error('must not contain a user name or a password')
    }
    return value
  }),
  shown: urlWithoutSecrets,
})

/**
 * The scheme, the hosts and the path. User names go too, because some relays take a token as the name, and parameters,
 * because PostgreSQL takes a password among them. Where it is not clear which is which, nothing but the scheme is left.
 */
function urlWithoutSecrets(value: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(value) ?? []
  const [place = ''] = rest.split(/[?#]/, 1)
  const parameters = rest.slice(place.length)
  if (parameters.includes('@')) return `${scheme}…`
  const hosts = place.slice(place.lastIndexOf('@') + 1)
  return `${scheme}${hosts === place ? '' : '…@'}${hosts}${parameters === '' ? '' : '?…'}`
}

const domainForm = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

export const domain = <D extends string | undefined>(variable: string, standard: D, sentence: string) =>
  setting<string | D>(variable, 'host name', standard, sentence, parseDomain)

export const emailAddress = <D extends string | undefined>(variable: string, standard: D, sentence: string) =>
  setting<string | D>(variable, 'address', standard, sentence, (value) => {
    const at = value.lastIndexOf('@')
    if (at < 1 || /\s/.test(value)) throw new Error('must be an email address')
    return `${value.slice(0, at)}@${parseDomain(value.slice(at + 1))}`
  })

export const hostAndPortList = (variable: string, sentence: string): Setting<readonly string[]> =>
  setting<readonly string[]>(variable, 'list of `address:port`', '', sentence, (value) =>
    separated(value).map((item) => {
      const [, bracketed, plain] = /^(?:\[(.+)\]|([^[\]:]+))(?::\d{1,5})?$/.exec(item) ?? []
      if (isIP(bracketed ?? plain ?? item) === 0) throw new Error(`${item} is not an IP address with an optional port`)
      return item
    }),
  )

export const networks = <D extends string | undefined>(variable: string, standard: D, sentence: string) =>
  setting<readonly Network[] | (D extends string ? never : undefined)>(
    variable,
    'list of networks',
    standard,
    sentence,
    parseNetworks,
  )

export const parseNetworks = (value: string): Network[] =>
  separated(value).map((item) => {
    const cidr = item.includes('/') ? item : `${item}/${isIP(item) === 6 ? 128 : 32}`
    if (!ipaddr.isValidCIDR(cidr)) throw new Error(`${item} is not a network like 10.0.0.0/8`)
    return ipaddr.parseCIDR(cidr)
  })

function parseDomain(value: string): string {
  if (!domainForm.test(value)) throw new Error('must be a host name')
  return value.toLowerCase()
}

function oneOf<C extends string>(choices: readonly C[], value: string): C {
  const found = choices.find((c) => c === value)
  if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
  return found
}

const separated = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const setting = <T>(
  variable: string,
  form: string,
  standard: string | undefined,
  sentence: string,
  parse: (value: string) => T,
): Setting<T> => ({ variable, form, default: standard, sentence, parse, shown: (value) => value })
