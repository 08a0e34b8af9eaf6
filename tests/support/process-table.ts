import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parent: number
  group: number
  readonly command: string
}

const hasProc = existsSync('/proc/self/stat')

/** Every process of this machine. What has ended but was not collected by its parent counts as gone. */
export function processTable(): RunningProcess[] {
  if (!hasProc) return fromPs()
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => fromProc(Number(pid)) ?? [])
}

export const membersOf = (group: number): RunningProcess[] => processTable().filter((each) => each.group === group)

export const isRunning = (pid: number): boolean =>
  hasProc ? fromProc(pid) !== undefined : processTable().some((process) => process.pid === pid)

function fromProc(pid: number): RunningProcess | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name in brackets may hold anything, so the fields are counted from behind it.
  const [state, parent, group] = stat.replace(/^.*\) /s, '').split(' ')
  if (stat === '' || state === 'Z') return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    // Asked of few: the table is read many times a second.
    get command() {
      return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
    },
  }
}

/** Empty when the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function fromPs(): RunningProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
    if (command === undefined || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
  })
}
