import { encodeId, type ProjectId } from '../../core/ids.ts'
import { noticeKinds, severities, type Found, type KindName, type NoticeKind } from './kinds.ts'
import type { NoticeView } from './schema.ts'

/** Undefined where nothing is the matter. The first of what was found has been so for the longest. */
export function noticeView(kind: KindName, project: ProjectId, found: readonly Found[]): NoticeView | undefined {
  const [first] = found
  if (first === undefined) return undefined
  const { severity, title, sentence, link }: NoticeKind = noticeKinds[kind]
  const told = { ...first, count: found.length }
  return {
    kind,
    severity,
    since: first.since.toISOString(),
    title: title(told),
    sentence: sentence(told),
    link: link(encodeId('prj', project), told),
    count: found.length,
  }
}

/** The worst comes first, and of equals the newest. */
export const byWeight = (a: NoticeView, b: NoticeView): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) || Date.parse(b.since) - Date.parse(a.since)
