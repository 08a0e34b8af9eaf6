/** Acknowledges every event and forgets it; says how many there were when asked. */
import { createServer } from 'node:http'

let heard = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    heard++
    response.writeHead(204).end()
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))
process.on('message', () => process.send?.(heard))
