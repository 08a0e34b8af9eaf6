import { settings } from './schema.ts'
import type { Setting, ShownSetting } from './types.ts'

/** Set by the supervisor for its roles: the `DATABASE_URL` that they get is its own, and not the operator's. */
export const DATABASE_IS_EMBEDDED = 'POSTHOUSE_DATABASE_IS_EMBEDDED'

/** Every setting, in the order of the table. */
export const shownSettings = (environment: Readonly<Record<string, string | undefined>>): ShownSetting[] =>
  Object.values<Setting<unknown>>(settings).map((setting) => {
    const { variable, form, sentence } = setting
    const value = isGivenByUs(variable, environment) ? '' : (environment[variable]?.trim() ?? '')
    return {
      variable,
      form,
      sentence,
      default: setting.default || null,
      isSet: value !== '',
      value: value === '' ? null : setting.shown(value),
    }
  })

const isGivenByUs = (variable: string, environment: Readonly<Record<string, string | undefined>>): boolean =>
  variable === settings.databaseUrl.variable && environment[DATABASE_IS_EMBEDDED] === 'true'
