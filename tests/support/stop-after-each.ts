import { afterEach } from 'vitest'

/**
 * Gives a function that notes what has to be stopped at the end of each test, passed or failed. To be called after the
 * hook that takes the database away: hooks run in reverse order.
 */
export function stopAfterEach(): <Part extends { stop(): Promise<void> }>(part: Part) => Part {
  const parts: { stop(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(parts.splice(0).map((part) => part.stop()))
  })
  return (part) => {
    parts.push(part)
    return part
  }
}
