/**
 * A process that dispatches toys, for tests that kill or freeze it. Its handler reports where it stands and goes on only
 * when it is told to.
 */
import { Database } from '../../src/storage/postgres.ts'
import { shortTimes, toyDispatcher, toyQueue } from './toy.ts'

/** `before` stops ahead of the point of no return, `after` behind it. */
const [url = '', waitsWhere = 'before'] = process.argv.slice(2)
const db = new Database({ url, name: 'test child', connections: 5 })

const told = (): Promise<void> => new Promise((resolve) => process.once('message', () => resolve()))

const queue = toyQueue(async ({ id, crashes }, lease) => {
  const goOn = told()
  if (waitsWhere === 'after') process.send?.({ began: await lease.confirm() })
  process.send?.({ started: id, crashes })
  await goOn
  if (waitsWhere === 'before') process.send?.({ began: await lease.confirm() })
  // What a mail server would see as the final dot.
  if (lease.holds()) process.send?.({ sent: id })
  return { kind: 'done', by: 'child' }
})

const dispatcher = toyDispatcher(db, queue, {
  slots: 5,
  times: shortTimes,
  observe: (event) => void process.send?.(event),
})
dispatcher.start()
