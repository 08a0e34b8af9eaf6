import { join } from 'node:path'

/** Where the database lies below a data directory. */
export const clusterIn = (dataDir: string): string => join(dataDir, 'postgres')
