import { Type } from 'typebox'
import { named } from './shapes.ts'

/** What a reply of a server means, as `mail/replies/explain.ts` puts it. */
export const explanationSchema = named(
  'Explanation',
  Type.Object({
    cause: Type.Enum(['recipient', 'receiver', 'sender', 'content', 'us', 'unknown'], {
      description:
        'Whose it is to mend: `us` is this installation, `unknown` says that the server gave no known reason.',
    }),
    title: Type.String({ description: 'What happened, in a few words.' }),
    sentence: Type.String({ description: 'What that means.' }),
    advice: Type.String({ description: 'What to do about it.' }),
    needsAction: Type.Boolean({
      description: 'True where nothing gets better until a person does what `advice` says.',
    }),
  }),
)
