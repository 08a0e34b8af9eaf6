import { join } from 'node:path'

/** Returns the folder of the database below a data directory. */
export const clusterIn = (dataDir: string): string => join(dataDir, 'postgres')
