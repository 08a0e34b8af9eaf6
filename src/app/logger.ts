import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard error: standard output belongs to what a person asked for. */
export const createLogger = (
  name: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger => pino({ name: `posthouse ${name}`, level, base: { pid: process.pid }, serializers: { err } }, destination)

/** Where PostgreSQL quotes the row that a statement failed on: customers' data, which a log is no place for. */
const quoting = new Set(['detail', 'where', 'hint', 'internalQuery'])

const err = (error: Error): object =>
  Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([field]) => !quoting.has(field)))
