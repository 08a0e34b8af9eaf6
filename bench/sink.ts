/** Takes every mail and forgets it, as cheaply as Node can. */
import { createServer } from 'node:net'

const server = createServer({ noDelay: true }, (socket) => {
  let [rest, isData] = ['', false]
  socket.write('220 sink\r\n')
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk
    let answers = ''
    for (;;) {
      const end = rest.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) break
      const word = isData ? '.' : rest.slice(0, 4).toUpperCase()
      rest = rest.slice(end + (isData ? 5 : 2))
      isData = word === 'DATA'
      if (word === 'EHLO') answers += '250-sink\r\n250 PIPELINING\r\n'
      else if (word === 'DATA') answers += '354 go on\r\n'
      else if (word === 'QUIT') answers += '221 bye\r\n'
      else answers += '250 ok\r\n'
      if (word === 'QUIT') socket.end(answers)
    }
    if (socket.writable) socket.write(answers)
  })
  socket.on('error', () => {})
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'))
