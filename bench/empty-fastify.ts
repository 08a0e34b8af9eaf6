/** The yardstick: a bare Fastify route with the schema of `GET /projects`, which answers a constant. */
import Fastify from 'fastify'
import { ProjectPage } from '../src/resources/projects/schema.ts'

const [port, answer] = [Number(process.argv[2]), JSON.parse(process.argv[3] ?? '{}') as unknown]
const server = Fastify()
server.get('/api/v1/projects', { schema: { response: { 200: ProjectPage } } }, async () => answer)
await server.listen({ port, host: '127.0.0.1' })
process.send?.('ready')
