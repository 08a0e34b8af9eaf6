/** PostgreSQL refuses to run as root; `nobody` is the one unprivileged user that every system has. */
export const NOBODY = 65534

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * As root we become `nobody`, who may not be able to walk the path to the data directory (a clone in a 0700 home).
 * The working directory is entered before the rights are dropped, and /proc/self/cwd names it without a walk.
 */
export const pathForServer = (cluster: string): string => (isRoot() ? '/proc/self/cwd' : cluster)

/** A process group of its own: a signal to ours, like Ctrl-C, is not meant for the database. */
export const asServerUser = (cwd: string) => ({
  cwd,
  detached: true,
  env: { TZ: 'UTC' },
  ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
})
