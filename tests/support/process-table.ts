import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  parent: number
  group: number
  command: string
}

/** Every process of this machine. What has ended but was not collected by its parent counts as gone. */
export function processTable(): RunningProcess[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs()
}

export const childrenOf = (pid: number): RunningProcess[] => processTable().filter(({ parent }) => parent === pid)

export const membersOf = (group: number): RunningProcess[] => processTable().filter((each) => each.group === group)

export const isRunning = (pid: number): boolean => processTable().some((process) => process.pid === pid)

function fromProc(): RunningProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      // The name in brackets may hold anything, so the fields are counted from behind it.
      const [state, parent, group] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
    } catch {
      return [] // It ended while we were reading.
    }
  })
}

function fromPs(): RunningProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? []
    if (command === undefined || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
  })
}
