/**
 * Whatever belongs to a project says to which. Said here once for all resources: a route about one project shows things
 * of that project only, so nobody has to remember it, and nobody can forget it.
 */
import type { TSchema } from 'typebox'
import { encodeId, type ProjectId } from '../core/ids.ts'
import { IdOf } from '../shapes/shapes.ts'

type Properties = Record<string, TSchema>

const propertiesOf = (schema: TSchema | undefined): Properties =>
  ((schema as { properties?: Properties } | undefined)?.properties ?? {}) as Properties

const itemsOf = (schema: TSchema): TSchema | undefined =>
  (propertiesOf(schema)['data'] as { items?: TSchema } | undefined)?.items

/** An answer that only says that something is gone shows nothing of it. */
const lacksProject = (schema: TSchema | undefined): boolean => {
  const properties = propertiesOf(schema)
  return 'id' in properties && !('projectId' in properties) && !('deleted' in properties)
}

/** Where a reply has resources with ids of their own: it is one itself, or `data` has some. */
function shownIn(reply: TSchema): 'itself' | 'data' | undefined {
  if (lacksProject(reply)) return 'itself'
  return lacksProject(itemsOf(reply)) ? 'data' : undefined
}

/** The shape of a reply with `projectId` in it. A shape always gives the same one, so that it is recognised. */
export function withProjectId(reply: TSchema): TSchema {
  const known = made.get(reply)
  if (known !== undefined) return known
  const schema = add(reply)
  made.set(reply, schema)
  return schema
}

const made = new WeakMap<TSchema, TSchema>()

function add(reply: TSchema): TSchema {
  const { id, data, ...rest } = propertiesOf(reply)
  switch (shownIn(reply)) {
    case 'itself': {
      const { required = [] } = reply as { required?: string[] }
      const more = data === undefined ? rest : { data, ...rest }
      return { ...reply, properties: { id, projectId: IdOf('prj'), ...more }, required: [...required, 'projectId'] }
    }
    case 'data': {
      const items = withProjectId(itemsOf(reply) as TSchema)
      return { ...reply, properties: { ...propertiesOf(reply), data: { ...data, items } } }
    }
    default:
      return reply
  }
}

/** Adds the project's id to a body wherever the answer shows it. */
export function showProject(body: unknown, reply: TSchema, project: ProjectId): unknown {
  const projectId = encodeId('prj', project)
  switch (shownIn(reply)) {
    case 'itself':
      return { ...(body as object), projectId }
    case 'data': {
      const page = body as { data: object[] }
      return { ...page, data: page.data.map((one) => ({ ...one, projectId })) }
    }
    default:
      return body
  }
}
