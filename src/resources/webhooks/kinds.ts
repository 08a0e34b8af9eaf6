import { eventCatalogue, type EventKind } from '../../events/kinds.ts'

export const kinds = Object.keys(eventCatalogue) as EventKind[]

/** What an endpoint is told of unless it chooses. */
export const standardKinds = kinds.filter((kind) => eventCatalogue[kind].standard)
