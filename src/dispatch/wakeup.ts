/** A pause that others can end early. A ring between two pauses ends the next one at once. */
export class Wakeup {
  #rung = false
  #wake: () => void = () => {}

  ring(): void {
    this.#rung = true
    this.#wake()
  }

  async wait(ms: number): Promise<void> {
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
