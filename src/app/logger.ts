import { pino, type Logger } from 'pino'

/** JSON lines on standard error: standard output belongs to what a person asked for. */
export const createLogger = (name: string, level: string): Logger =>
  pino({ name: `posthouse ${name}`, level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: false }))
