import { setTimeout as sleep } from 'node:timers/promises'

/** Does it again and again, with a pause before each time, until the promise is kept or broken; how often it was done. */
export async function againUntil(done: Promise<unknown>, pauseMs: () => number, act: () => unknown): Promise<number> {
  const progress = { isOver: false }
  const over = done.then(
    () => void (progress.isOver = true),
    () => void (progress.isOver = true),
  )
  for (let times = 0; ; times++) {
    await Promise.race([over, sleep(pauseMs())])
    if (progress.isOver) return times
    await act()
  }
}
