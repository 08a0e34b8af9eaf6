import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard error: standard output belongs to what a person asked for. */
export const createLogger = (name: string, level: string, destination: DestinationStream = standardError()): Logger =>
  pino({ name: `posthouse ${name}`, level, base: { pid: process.pid }, serializers: { err } }, destination)

/** Lines leave a few kilobytes at a time: a system call for each was a tenth of what a request cost. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4_096 })
  setInterval(() => destination.flush(), FLUSH_MS).unref()
  process.once('exit', () => destination.flushSync())
  return destination
}

/** Nobody reads faster than this, and no more than this is lost with a process that is killed. */
const FLUSH_MS = 100

/** Where PostgreSQL quotes the row that a statement failed on: customers' data, which a log is no place for. */
const quoting = new Set(['detail', 'where', 'hint', 'internalQuery'])

const err = (error: Error): object =>
  Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([field]) => !quoting.has(field)))
