import { DomainError } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Projects } from '../projects/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { Accounts } from './account.ts'
import { Attempts } from './attempts.ts'
import { Descriptions } from './describe.ts'
import { Invitations } from './invitations.ts'
import { Passkeys } from './passkeys.ts'
import { Passwords } from './passwords.ts'
import { Recovery } from './recovery.ts'
import { SecondFactor } from './second-factor.ts'
import { People, type PeopleLife } from './service.ts'
import { SettingUp } from './setting-up.ts'
import { SignIn } from './sign-in.ts'
import * as invitations from './store/invitations.ts'
import * as links from './store/links.ts'
import * as passkeyStore from './store/passkeys.ts'
import type { SystemMailer } from './system-mail.ts'
import { WaysIn } from './ways-in.ts'
import { Workspaces } from './workspace.ts'

export interface PeopleParts {
  db: Database
  projects: Projects
  sessions: Sessions
  secrets: () => Secrets
  publicUrl: string
  setupSecret: string | undefined
  mailer: SystemMailer
  life: PeopleLife
}

/** Used links and invitations are kept for so long: a person who opens one again is told that it was used. */
const FORGOTTEN_AFTER_DAYS = 30

/** Everything about people, built once. */
export function assemblePeople({ db, projects, sessions, secrets, publicUrl, setupSecret, mailer, life }: PeopleParts) {
  const workspace = async (): Promise<WorkspaceId> => {
    const id = await projects.workspace()
    if (id === undefined) throw new DomainError('unavailable', 'The installation is still being set up: try again.')
    return id
  }
  let key: Buffer | undefined
  const attempts = new Attempts({ db, key: () => (key ??= secrets().derive('sign-in-attempts')) })
  const passwords = new Passwords()
  const passkeys = new Passkeys({ db, publicUrl })
  const waysIn = new WaysIn({ passwords, passkeys })
  const secondFactor = new SecondFactor(secrets)
  return {
    all: new People({ db, sessions, life }),
    invitations: new Invitations({ db, sessions, waysIn, publicUrl, mailer }),
    workspaces: new Workspaces(db, sessions),
    settingUp: new SettingUp({ db, workspace, sessions, attempts, waysIn, publicUrl, secret: setupSecret }),
    signIn: new SignIn({ db, workspace, sessions, attempts, passwords, passkeys, secondFactor }),
    recovery: new Recovery({ db, workspace, sessions, attempts, waysIn, secondFactor, publicUrl, mailer }),
    accounts: new Accounts({ db, secrets, sessions, attempts, passkeys, waysIn, secondFactor }),
    descriptions: new Descriptions(db, sessions),
    passkeys,
    forgetOld: async (): Promise<void> => {
      await attempts.forgetOld()
      await passkeyStore.forgetChallenges(db)
      await links.forget(db, FORGOTTEN_AFTER_DAYS)
      await invitations.forget(db, FORGOTTEN_AFTER_DAYS)
    },
  }
}

export type PeopleServices = ReturnType<typeof assemblePeople>
