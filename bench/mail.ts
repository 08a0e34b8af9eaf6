/** Mails for the bench, and whoever takes them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, yardstick } from './node.ts'

export interface Receiver {
  name: string
  port: number
  stop(): Promise<void>
}

/** Postfix's smtp-sink where it is installed, else a sink of ours: both throw everything away. */
export async function startReceiver(): Promise<Receiver> {
  const port = await freePort()
  const isInstalled = spawnSync('smtp-sink', [], { stdio: 'ignore' }).error === undefined
  const child = isInstalled ? await smtpSink(port) : await yardstick('sink.ts', [String(port)])
  return { name: isInstalled ? 'smtp-sink' : 'a sink in Node', port, stop: () => ended(child) }
}

async function smtpSink(port: number): Promise<ChildProcess> {
  const child = spawn('smtp-sink', ['-u', 'nobody', `127.0.0.1:${port}`, '1000'], { stdio: 'ignore' })
  await reachable(port)
  return child
}

export async function reachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`nobody listens on port ${port}`)
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const paragraph = '<p>Your order has left our house and should be with you on Thursday. Thank you for your trust.</p>\n'

/** About 4 KB on the wire, no two alike. */
export const mail = (from: string, to: string, number: number) => ({
  from,
  to,
  subject: `Order ${number} is on its way`,
  html: `<h1>Order ${number}</h1>\n${paragraph.repeat(16)}`,
  text: `Order ${number}\n\n${'It should be with you on Thursday. Thank you for your trust.\n'.repeat(25)}`,
})
