/** Modules need this much of a logger. Pino's has it. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A logger that writes nothing. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
