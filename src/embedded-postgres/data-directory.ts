/**
 * Prepares DATA_DIR and decides which user owns it. An ordinary user runs everything as itself. Root gives the
 * directory to a user that has nothing else on this machine, and lets the database and the roles run as that user:
 * `posthouse` where there is one, else an id that no user has. A directory that belongs to another user stays with it.
 */
import {
  accessSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../core/errors.ts'

export interface User {
  uid: number
  gid: number
}

/** Shared by many programs, so nothing that must stay private may be its own. The database of version 0.1 was. */
const NOBODY = 65534
/** These ids lie between those that distributions give to people and those that systemd takes. */
const [FIRST_ID, LAST_ID] = [60_715, 61_183]

const ours = /^(postgres(\.log(\.1)?)?|pgpass|master\.key|journal|spool|smtp-.*\.pem)$/
/** A start that is running, or was killed, leaves these names; every ext4 file system has the last one at its top. */
const passing = /^((postgres\.new|pgpass|master\.key|smtp-.*\.pem)\..+|lost\+found)$/

export const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Makes the directory on the first start. Returns the user that the database and the roles run as; undefined for the
 * current one.
 */
export function prepareDataDirectory(dataDir: string): User | undefined {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `The data directory ${dataDir} is not writable (${reason}). Change its owner or choose another with DATA_DIR.`,
    )
  }
  // The owner of a link says nothing about the owner of the directory behind it.
  return isRoot() ? givenAway(realpathSync(dataDir)) : undefined
}

function givenAway(dataDir: string): User {
  const user = userOf(dataDir)
  const { uid, mode } = lstatSync(dataDir)
  const names = readdirSync(dataDir)
  // A directory that every user may write to, like /tmp, is not ours alone.
  const isToBeGiven = uid !== user.uid && (mode & 0o002) === 0
  // The owner of a directory may replace everything in it: a clone, or root's home, stays root's, and so do the roles.
  if (isToBeGiven && !names.every((name) => ours.test(name) || passing.test(name))) return user
  for (const name of names.filter((each) => ours.test(each))) {
    // The database's files are given away while it does not run.
    if (name !== 'postgres') chownTree(join(dataDir, name), user)
  }
  if (isToBeGiven) lchownSync(dataDir, user.uid, user.gid)
  return user
}

function userOf(dataDir: string): User {
  const { uid, gid } = lstatSync(dataDir)
  return isTaken(uid) ? { uid, gid } : ownUser()
}

const isTaken = (uid: number): boolean => uid !== 0 && uid !== NOBODY

/** passwd(5) and group(5) have name, password, id, and for a user its group. */
function ownUser(): User {
  const users = entriesOf('/etc/passwd')
  const named = users.find(([name]) => name === 'posthouse')
  if (named && isTaken(Number(named[2]))) return { uid: Number(named[2]), gid: Number(named[3]) }
  const used = new Set([...users, ...entriesOf('/etc/group')].map((entry) => Number(entry[2])))
  for (let id = FIRST_ID; id <= LAST_ID; id++) if (!used.has(id)) return { uid: id, gid: id }
  throw new SetupError('There is no free user id on this system. Make a user named posthouse, and start again.')
}

/**
 * initdb needs a user whose name it can look up, so an id without a name borrows an account of the system for that
 * moment: one that runs no process, so that no process can read what initdb writes before it is given away.
 */
export function userWithName(user: User): User {
  const users = entriesOf('/etc/passwd').map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
  if (users.some(({ uid }) => uid === user.uid)) return user
  const busy = new Set(
    readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (ownerOf(`/proc/${pid}`) ?? []) : [])),
  )
  const idle = users.find(({ uid }) => uid > 0 && !busy.has(uid))
  if (idle) return idle
  throw new SetupError('No account of this system can make the database. Make a user named posthouse, and start again.')
}

/** Undefined when it is gone meanwhile. */
const ownerOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid

const entriesOf = (file: string): string[][] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.split(':'))
    : []

/**
 * Gives away what is not this user's yet, a folder after everything in it, so that an interrupted run can begin again.
 * A file with a second name stays, because that name may be in a place that is not ours.
 */
export function chownTree(path: string, user: User): void {
  const stat = lstatSync(path)
  if (stat.uid === user.uid || (stat.isFile() && stat.nlink > 1)) return
  if (stat.isDirectory()) for (const name of readdirSync(path)) chownTree(join(path, name), user)
  lchownSync(path, user.uid, user.gid)
}
