import { Type, type Static } from 'typebox'
import { named, Nullable, Timestamp } from '../../../shapes/shapes.ts'

export const DialogueView = named(
  'Dialogue',
  Type.Object({
    lines: Type.Array(
      named('DialogueLine', Type.Object({ at: Timestamp, from: Type.Enum(['us', 'them']), text: Type.String() })),
      { description: 'At most 60. Content is left out, and so is what proves who we are.' },
    ),
    peer: named(
      'DialoguePeer',
      Type.Object(
        {
          host: Nullable(Type.String()),
          address: Nullable(Type.String()),
          tls: Nullable(Type.String({ description: 'The protocol, as in `TLSv1.3`; null without TLS.' })),
          source: Nullable(Type.String({ description: 'Our own address.' })),
        },
        { description: 'The server that we talked to. All null for the simulator.' },
      ),
    ),
    bytes: Type.Integer({ description: 'So many bytes of content were sent.' }),
  }),
)

export type DialogueView = Static<typeof DialogueView>
