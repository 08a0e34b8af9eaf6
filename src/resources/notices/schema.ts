import { Type, type Static } from 'typebox'
import { named, Timestamp } from '../../shapes/shapes.ts'
import { kindNames, severities } from './kinds.ts'

export const NoticeView = named(
  'Notice',
  Type.Object({
    kind: Type.Enum([...kindNames]),
    severity: Type.Enum(severities),
    since: Timestamp,
    title: Type.String({ examples: ['shop.example lost a DNS record'] }),
    sentence: Type.String({ description: 'What it means, and what to do about it.' }),
    link: Type.String({ description: 'The page of the portal where something can be done about it.' }),
    count: Type.Integer({ minimum: 1, description: 'How many things it is about; 100 may be more.' }),
  }),
)

export type NoticeView = Static<typeof NoticeView>

export const NoticeList = named('NoticeList', Type.Object({ data: Type.Array(NoticeView) }))

export type NoticeList = Static<typeof NoticeList>
