import { hostname } from 'node:os'
import { SetupError } from '../core/errors.ts'
import { settings, type Config } from './schema.ts'
import { shownSettings } from './shown.ts'
import { parseNetworks } from './types.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Names everything that is wrong, so that an operator mends it in one go. */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      // An empty variable counts as unset: that is what a line `NAME=` in a file means to most people.
      const raw = environment[setting.variable]?.trim() || setting.default
      try {
        return [name, raw === undefined ? undefined : setting.parse(raw)]
      } catch (error) {
        problems.push(`${setting.variable}: ${error instanceof Error ? error.message : 'cannot be read'}.`)
        return [name, undefined]
      }
    }),
  ) as unknown as Config
  if (problems.length === 0) problems.push(...disagreements(values))
  if (problems.length > 0) {
    throw new SetupError(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
  return {
    ...values,
    publicUrl: (values.publicUrl ?? localUrl(values.port)).replace(/\/+$/, ''),
    metricsAllow: values.metricsAllow ?? (isReachedDirectly(values) ? loopback : []),
    smtpHostname: values.smtpHostname ?? hostname().toLowerCase(),
    shown: shownSettings(environment),
  }
}

/** An installation has this URL unless its operator sets another. */
export const localUrl = (port: number): string => `http://localhost:${port}`

const loopback = parseNetworks('127.0.0.0/8,::1/128')

/**
 * Tells whether clients connect to us directly. We speak no TLS and listen on one port: a `PUBLIC_URL` with https or
 * another port leads to a proxy, and a proxy on this machine brings the requests of all clients from loopback.
 */
function isReachedDirectly({ publicUrl, port }: Config): boolean {
  if (publicUrl === undefined) return true
  const url = new URL(publicUrl)
  return url.protocol === 'http:' && Number(url.port || 80) === port
}

/** Some variables only make sense together, which no single one can check. */
function disagreements(values: Config): string[] {
  const problems: string[] = []
  if (values.roles.length === 0) problems.push('ROLES: must name at least one role.')
  if (values.s3Endpoint !== undefined) {
    const missing = {
      S3_BUCKET: values.s3Bucket,
      S3_ACCESS_KEY_ID: values.s3AccessKeyId,
      S3_SECRET_ACCESS_KEY: values.s3SecretAccessKey,
    }
    for (const [variable, value] of Object.entries(missing)) {
      if (value === undefined) problems.push(`${variable}: is needed when S3_ENDPOINT is set.`)
    }
  }
  if ((values.smtpTlsCert === undefined) !== (values.smtpTlsKey === undefined)) {
    problems.push('SMTP_TLS_CERT, SMTP_TLS_KEY: one is of no use without the other.')
  }
  return problems
}
