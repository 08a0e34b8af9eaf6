/** One bounded question for each kind. */
import { encodeId, type Id, type IdPrefix } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import { destinationName } from '../queue/index.ts'
import type { Found, KindName } from './kinds.ts'
import type { About, Row } from './schema.ts'
import { installationQuestions } from './store/installation.ts'
import { projectQuestions } from './store/project.ts'

/** What the id of a thing of this kind begins with. */
const prefixes: Readonly<Partial<Record<KindName, IdPrefix>>> = {
  domain_record_lost: 'dom',
  domain_unverified: 'dom',
  webhook_disabled: 'whk',
  webhook_failing: 'whk',
  broadcast_returned: 'brd',
  automation_failing: 'aut',
}

export async function ask(tx: Tx, kind: KindName, about: About): Promise<Found[]> {
  const rows = await tx.all(questionOf(kind, about))
  if (kind.startsWith('destination_')) return rows.map(asDestination)
  const prefix = prefixes[kind]
  return rows.map(({ id, ...rest }) => ({
    id: id === null || prefix === undefined ? null : encodeId(prefix, id as Id<IdPrefix>),
    ...rest,
  }))
}

/** A destination is found by its name, and called as people call it. */
const asDestination = ({ name, ...rest }: Row): Found => ({
  ...rest,
  id: encodeURIComponent(name),
  name: destinationName(name),
})

const questionOf = (kind: KindName, about: About) =>
  isOfInstallation(kind) ? installationQuestions[kind](about) : projectQuestions[kind](about.projectId, about)

const isOfInstallation = (kind: KindName): kind is keyof typeof installationQuestions => kind in installationQuestions
