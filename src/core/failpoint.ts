/**
 * Named places where a test may let a process die or hang. None is armed unless a test asks for it when the process
 * starts; a place that is not armed costs a look into an empty map.
 */
type Act = 'kill' | 'hang' | 'spin' | 'throw'

const armed = new Map<string, { act: Act; about: string | undefined; passed: number; at: number }>()

/**
 * Parses `send.before-dot=kill,accept.after-commit=hang`. With `@word` the place acts only when its text contains the
 * word, with `#100` only the hundredth time it is reached.
 */
export function armFailpoints(orders: string): void {
  for (const order of orders.split(',').filter(Boolean)) {
    const [, name, act, about, at = 0] = /^([\w.-]+)=(kill|hang|spin|throw)(?:@([^#]+))?(?:#(\d+))?$/.exec(order) ?? []
    if (name === undefined) throw new Error(`not an order for a failpoint: ${order}`)
    armed.set(name, { act: act as Act, about, passed: 0, at: Number(at) })
  }
}

export function failpoint(name: string, about = ''): Promise<void> | void {
  const order = armed.size === 0 ? undefined : armed.get(name)
  if (order === undefined || (order.about !== undefined && !about.includes(order.about))) return
  if (++order.passed < order.at || (order.at > 0 && order.passed > order.at)) return
  if (order.act === 'kill') process.kill(process.pid, 'SIGKILL')
  while (order.act === 'spin');
  if (order.act === 'throw') throw new Error(`the failpoint ${name} threw`)
  return new Promise(() => {})
}
