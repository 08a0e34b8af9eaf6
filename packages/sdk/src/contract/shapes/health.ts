// Made by `npm run generate`; change the routes and their schemas, not this file.

/** The process is alive. */
export interface Health {
  status: 'ok'
  version: string
  uptimeSeconds: number
}
