import { encodeId } from '../../core/ids.ts'
import type { EntryRow, EntryView } from './schema.ts'
import { sentenceOf } from './sentences.ts'

/** `names` are those of subjects, as far as there are any. */
export function entryView(row: EntryRow, names: ReadonlyMap<string, string>): EntryView {
  const { id, at, projectId, requestId, action, subject, details } = row
  const subjectName = names.get(subject) ?? nameIn(details)
  return {
    id: encodeId('log', id),
    at: at.toISOString(),
    actor: actorView(row),
    action,
    subject,
    subjectName,
    projectId: projectId && encodeId('prj', projectId),
    requestId,
    details,
    sentence: sentenceOf({ action, subject, subjectName, details }),
  }
}

function actorView({ actor: type, keyId, personId, actorName: name }: EntryRow): EntryView['actor'] {
  if (keyId !== null) return { type, id: encodeId('key', keyId), name }
  return { type, id: personId && encodeId('per', personId), name }
}

/** What is gone left its name, or its address, in the log. */
function nameIn({ name, url }: EntryRow['details']): string | null {
  if (typeof name === 'string' && name !== '') return name
  return typeof url === 'string' ? url : null
}
