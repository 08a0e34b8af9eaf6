/** What a room needs of a logger. Pino's fits as it is. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Where nobody reads along. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
