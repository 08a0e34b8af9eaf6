/** MTA-STS has two texts (RFC 8461): the record that announces a policy, and the policy itself. */
export interface StsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Host names; a leading `*.` stands for exactly one label. */
  hosts: readonly string[]
  maxAgeSeconds: number
}

/** RFC 8461 §3.2 allows about a year. */
const MAX_AGE_SECONDS = 31_557_600
const MAX_HOSTS = 100

/**
 * The id in the TXT records at `_mta-sts.<domain>`. Records of other purposes are ignored; more than one of ours means
 * that there is no policy (§3.1).
 */
export function stsId(records: readonly string[]): string | undefined {
  const ours = records.filter((record) => /^v=STSv1\s*(;|$)/.test(record))
  if (ours.length !== 1) return undefined
  return /;\s*id=([a-zA-Z0-9]{1,32})\s*(?:;|$)/.exec(ours[0] ?? '')?.[1]
}

/** Undefined when a required field is missing or wrong (§3.2). Unknown fields are for extensions. */
export function parseStsPolicy(text: string): StsPolicy | undefined {
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([\w.-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    return name !== undefined && value !== undefined ? [{ name, value }] : []
  })
  // The first value of a repeated field counts, except for `mx`.
  const first = (name: string): string | undefined => fields.find((field) => field.name === name)?.value
  const [mode, age] = [first('mode'), first('max_age')]
  if (first('version') !== 'STSv1' || age === undefined || !/^\d{1,10}$/.test(age)) return undefined
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return undefined
  const hosts = fields.filter(({ name }) => name === 'mx').map(({ value }) => value.toLowerCase().replace(/\.$/, ''))
  if (hosts.length > MAX_HOSTS || (hosts.length === 0 && mode !== 'none')) return undefined
  return { mode, hosts, maxAgeSeconds: Math.min(Number(age), MAX_AGE_SECONDS) }
}

/** RFC 8461 §4.1 defines how host names match. */
export const stsAllows = ({ hosts }: StsPolicy, host: string): boolean =>
  hosts.some((pattern) =>
    pattern.startsWith('*.') ? host.replace(/^[^.]+/, '') === pattern.slice(1) : host === pattern,
  )
