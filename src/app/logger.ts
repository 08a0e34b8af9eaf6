import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard error: standard output belongs to what a person asked for. */
export const createLogger = (
  name: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger => pino({ name: `posthouse ${name}`, level, base: { pid: process.pid }, serializers: { err } }, destination)

/** PostgreSQL quotes the row that a statement failed on: customers' data, which a log is no place for. */
function err(error: Error): object {
  const { detail, where, hint, internalQuery, parameters, ...rest } = stdSerializers.err(error) as unknown as Record<
    string,
    unknown
  >
  return rest
}
