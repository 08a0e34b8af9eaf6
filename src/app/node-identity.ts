import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { nodeIdOf } from '../resources/installation/index.ts'

/** The supervisor and its worker know their node by the same name; two nodes on one machine have two. */
export const nodeIdentity = ({ dataDir, roles, port }: Config): { id: string; name: string } => ({
  id: nodeIdOf(hostname(), resolve(dataDir), roles.join(), String(port)),
  name: hostname(),
})
