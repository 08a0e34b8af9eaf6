/** Something to sleep on that others can end early. A ring while nobody sleeps ends the next sleep at once. */
export class Alarm {
  #rung = false
  #wake: () => void = () => {}

  ring(): void {
    this.#rung = true
    this.#wake()
  }

  async within(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#rung = false
  }
}
