import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished } from 'vitest'

/** The addresses of this machine that others can see. */
export const ownAddresses = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal }) => !internal)
  .map(({ address }) => address.replace(/%.*/, ''))

const places = ['127.0.0.2', '127.0.0.53', '127.1.2.3', '127.255.255.254', '::1', ...ownAddresses]

/** Listens on this port wherever the machine can, and here too; tells who was connected to. */
export async function layTraps(port: number, ...here: string[]): Promise<{ reached: string[] }> {
  const reached: string[] = []
  const servers = await Promise.all([...places, ...here].map((place) => listen(place, port, reached)))
  const open = servers.filter((server) => server !== undefined)
  onTestFinished(() => open.forEach((server) => server.close()))
  expect(open.length).toBeGreaterThanOrEqual(4 + here.length)
  return { reached }
}

/** Undefined where there is no such address: not every machine speaks IPv6. */
const listen = (address: string, port: number, reached: string[]): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      reached.push(address)
      socket.on('error', () => {}).destroy()
    })
    server.once('error', () => resolve(undefined)).listen(port, address, () => resolve(server))
  })
