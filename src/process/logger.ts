import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import { LogLines } from './log-lines.ts'

/** JSON lines on standard error: standard output belongs to what a person asked for. */
export const createLogger = (name: string, level: string, destination: DestinationStream = logTo(2)): Logger =>
  pino({ name: `posthouse ${name}`, level, base: { pid: process.pid }, serializers: { err } }, destination)

export function logTo(fd: number): DestinationStream {
  const lines = new LogLines(fd)
  process.once('exit', () => lines.end())
  return lines
}

/** Where PostgreSQL quotes the row that a statement failed on: customers' data, which a log is no place for. */
const quoting = new Set(['detail', 'where', 'hint', 'internalQuery'])

const err = (error: Error): object =>
  Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([field]) => !quoting.has(field)))
