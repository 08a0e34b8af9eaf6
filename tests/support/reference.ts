import { execFileSync } from 'node:child_process'

/** The part of the reference that an operation or a chapter has. */
export const sectionOf = (html: string, id: string): string => {
  const [, rest = ''] = html.split(`<section id="${id}">`)
  return rest.split('</section>')[0] ?? ''
}

export const unescaped = (html: string): string =>
  html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** What stands beside an operation: first the command, then the answers. */
export const examplesIn = (html: string, id: string): string[] =>
  [...sectionOf(html, id).matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, code = '']) =>
    unescaped(code.replaceAll(/<[^>]*>/g, '')),
  )

/** What `curl` would get from a POSIX shell. */
export function shellArguments(
  command: string,
  env: Record<string, string> = { POSTHOUSE_KEY: 'ph_live_secret', POSTHOUSE_PROJECT: 'prj_mine' },
): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`
  const output = execFileSync('/bin/sh', ['-c', script], { env: { ...env, HOME: '/nowhere' }, encoding: 'utf8' })
  return output.split('\0').slice(0, -1)
}
