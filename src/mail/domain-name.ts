import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getPublicSuffix } from 'tldts'
import { refused, understood, type Parsed } from './parsed.ts'

/** RFC 1035 §2.3.4 sets these limits, counted without the root's dot. */
const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63

/**
 * Parses a name that a customer can own: not a suffix below which registries sell names. The result is in lower case and
 * A-labels.
 */
export function parseDomainName(input: string): Parsed<string> {
  const other = otherFormProblem(input)
  if (other !== undefined) return refused(other)
  const host = parseMailHost(input)
  if (!host.ok) return host
  // The private part of the list counts too: below `github.io` the names belong to different people as well.
  if (getPublicSuffix(host.value, { allowPrivateDomains: true }) === host.value) {
    return refused(
      `is a public suffix, below which everybody registers their own names: write yours, like example.${host.value}`,
    )
  }
  return host
}

/** People paste addresses and URLs where a name is asked for. */
function otherFormProblem(input: string): string | undefined {
  if (/\/|^[^:]+:\d+$/.test(input)) return 'is a web address: write only the name, like example.com'
  if (/^[^@\s]+@[^@\s]+$/.test(input)) return 'is an email address: write only what follows the @, like example.com'
  return undefined
}

/**
 * Parses a name that may stand behind the @ of an address on the internet. The result is in lower case and A-labels.
 */
export function parseMailHost(input: string): Parsed<string> {
  const given = spellingProblem(input)
  if (given !== undefined) return refused(given)
  const name = isAscii(input) ? input.toLowerCase() : domainToASCII(input)
  const problem = nameProblem(name)
  return problem === undefined ? understood(name) : refused(problem)
}

function spellingProblem(input: string): string | undefined {
  if (input === '') return 'lacks a domain name'
  if (/[[\]:]/.test(input) || isIP(input) !== 0) return 'needs a domain name, not an IP address'
  // This check comes before any conversion: `domainToASCII` decodes percent signs and would turn `ex%61mple` into
  // `example`.
  if (/[\0-\x7f]/.test(input.replaceAll(/[A-Za-z0-9.-]/g, ''))) {
    return 'has a character in its domain name that is neither a letter, a digit, a hyphen nor a dot'
  }
  if (input.endsWith('.')) return 'has a dot at the end of its domain name'
  return undefined
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'has a domain name that is not valid in any script'
  if (name.length > MAX_NAME_LENGTH) return `has a domain name of more than ${MAX_NAME_LENGTH} characters`
  const labels = name.split('.')
  if (labels.length < 2) return 'needs a full domain name, with a dot in it, like example.com'
  return labels.map(labelProblem).find((problem) => problem !== undefined) ?? topLevelProblem(labels.at(-1) ?? '')
}

function labelProblem(label: string): string | undefined {
  if (label === '') return 'has two dots in a row, or one at the start, in its domain name'
  if (label.length > MAX_LABEL_LENGTH)
    return `has a domain name with more than ${MAX_LABEL_LENGTH} characters between dots`
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label)) return 'has a misplaced hyphen in its domain name'
  // RFC 5891 §5.4: an A-label must decode to something. Node keeps those that do not.
  if (label.startsWith('xn--') && isAscii(domainToUnicode(label))) {
    return `has a domain name with ${label} in it, which decodes to nothing`
  }
  return undefined
}

/**
 * Top-level names begin with a letter. Other names may be IP addresses to some programs: `inet_aton` and browsers read
 * `127.1` and `0x7f.0x1` as 127.0.0.1.
 */
const topLevelProblem = (label: string): string | undefined =>
  /^[a-z]/.test(label) ? undefined : 'needs a domain name, not an IP address'

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
