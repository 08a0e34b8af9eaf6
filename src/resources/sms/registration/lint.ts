/**
 * What carriers would send a record back for, found before anybody pays for it. Every finding at once: reviews take
 * weeks, and each of them tells one thing.
 */
import { DomainError, type Problem } from '../../../core/errors.ts'
import type { ProfileFields, Profile, Program, Sender } from './schema.ts'

export function refuseIncomplete(findings: readonly Problem[]): void {
  if (findings.length === 0) return
  const sentence = `The record is not ready for review: ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}.`
  throw new DomainError('sms_record_incomplete', sentence, { details: findings })
}

const requiredOfProfile = [
  'legalName',
  'displayName',
  'entityType',
  'registrationType',
  'registrationCountry',
  'address',
  'website',
  'vertical',
  'contact',
] as const satisfies readonly (keyof ProfileFields)[]

export function lintProfile({ fields, registrationLast2 }: Pick<Profile, 'fields' | 'registrationLast2'>): Problem[] {
  const missing: string[] = requiredOfProfile.filter((name) => fields[name] === undefined || fields[name] === null)
  if (registrationLast2 === null && fields.entityType !== 'sole_proprietor') missing.push('registrationNumber')
  if (fields.entityType === 'public_profit') {
    missing.push(...(['stockSymbol', 'exchange'] as const).filter((name) => !fields[name]))
  }
  return missing.map((name) => ({ path: `/${name}`, message: 'is missing' }))
}

export function lintProgram(
  { fields, businessProfileId }: Pick<Program, 'fields' | 'businessProfileId'>,
  profile: Profile | undefined,
): Problem[] {
  const findings: Problem[] = []
  const find = (name: string, message: string): void => void findings.push({ path: `/${name}`, message })
  const length = (name: string, text: string | null | undefined, least: number, most: number): void => {
    const size = text?.length ?? 0
    if (size < least || size > most) find(name, `must have ${least} to ${most} characters, has ${size}`)
  }
  if (businessProfileId === null) find('businessProfileId', 'is missing')
  else if (profile === undefined || profile.status === 'draft' || profile.status === 'rejected') {
    find('businessProfileId', 'names a profile that was not submitted')
  }
  if (!fields.channel) find('channel', 'is missing')
  if (!fields.useCase) find('useCase', 'is missing')
  const subUseCases = fields.subUseCases ?? []
  if (fields.useCase === 'mixed' && subUseCases.length < 2) find('subUseCases', 'must name 2 to 5 for mixed')
  if (fields.useCase !== 'mixed' && subUseCases.length > 0) find('subUseCases', 'go with the use case mixed only')
  if ((fields.allowedCategories ?? []).length === 0) find('allowedCategories', 'must name at least one')
  length('description', fields.description, 40, 4_096)
  length('messageFlow', fields.messageFlow, 40, 2_048)
  if (!/https:\/\/\S+/.test(fields.messageFlow ?? '')) find('messageFlow', 'must contain an https URL')
  const samples = fields.samples ?? []
  if (samples.length < 2) find('samples', 'must be 2 to 5')
  if (new Set(samples).size < samples.length) find('samples', 'must all be different')
  samples.forEach((sample, i) => length(`samples/${i}`, sample, 20, 1_024))
  const brand = profile?.fields.displayName ?? undefined
  for (const [name, words] of Object.entries(wordsOfAnswers)) {
    const text = fields[name as keyof typeof wordsOfAnswers]
    length(name, text, 20, 320)
    if (brand && !text?.toLowerCase().includes(brand.toLowerCase())) find(name, 'must contain the brand name')
    for (const word of words) if (!new RegExp(`\\b${word}\\b`, 'i').test(text ?? '')) find(name, `must name ${word}`)
  }
  if (!fields.privacyPolicyUrl) find('privacyPolicyUrl', 'is missing')
  if (!fields.termsUrl) find('termsUrl', 'is missing')
  if (!fields.expectedMonthlyVolume) find('expectedMonthlyVolume', 'is missing')
  return findings
}

/** Which words each of the answers to STOP, HELP and START must tell. */
const wordsOfAnswers = {
  optInMessage: ['STOP', 'HELP'],
  optOutMessage: [],
  helpMessage: ['STOP'],
} as const

export function lintSender(sender: Pick<Sender, 'programId'>, program: Program | undefined): Problem[] {
  if (sender.programId === null || program === undefined) return [{ path: '/programId', message: 'is missing' }]
  return program.status === 'draft' || program.status === 'rejected'
    ? [{ path: '/programId', message: 'names a program that was not submitted' }]
    : []
}

/** Of a type, in a country: undefined when the address can be one. */
export function addressProblem({
  type,
  address,
  country,
}: Pick<Sender, 'type' | 'address' | 'country'>): string | undefined {
  switch (type) {
    case 'simulator':
    case 'long_code':
    case 'toll_free':
      return /^\+[1-9]\d{6,14}$/.test(address) ? undefined : 'must be a number in E.164 form'
    case 'short_code':
      return /^\d{3,6}$/.test(address) ? undefined : 'must have 3 to 6 digits'
    case 'alphanumeric':
      if (country === 'US' || country === 'CA') return 'cannot be a name in this country'
      return /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/.test(address)
        ? undefined
        : 'must have up to 11 letters, digits and spaces, and at least one letter'
  }
}
