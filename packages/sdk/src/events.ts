import { NetworkError } from './errors.ts'

export interface StreamOptions {
  /**
   * When nothing comes for so long, not even a comment, the connection is given up with a `NetworkError`. A network that
   * changed, or a computer that slept, leaves connections that never end and bring nothing. The server says something every 15 s.
   */
  maxSilenceMs?: number | undefined
}

/** Gives up what is waited for too long. */
export class Patience {
  readonly #maxMs: number | undefined
  readonly #isOver = new AbortController()
  /** Ends the call; its reason is what the caller is thrown. */
  readonly signal: AbortSignal

  constructor({ maxSilenceMs }: StreamOptions, signal: AbortSignal | undefined) {
    this.#maxMs = maxSilenceMs
    this.signal = signal === undefined ? this.#isOver.signal : AbortSignal.any([this.#isOver.signal, signal])
  }

  async during<T>(waited: Promise<T>): Promise<T> {
    if (this.#maxMs === undefined) return waited
    const timer = setTimeout(() => this.#isOver.abort(new NetworkError('The server has gone silent.')), this.#maxMs)
    try {
      return await waited
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Reads server-sent events. Ours have one line with the name and one with the data, which is JSON; comments, which only keep
 * the connection open, are left out. Time in which the caller does not read is no silence.
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  patience: Patience,
  fail: (cause: unknown) => never,
): AsyncGenerator<{ event: string; data: unknown }, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await patience.during(reader.read()).catch(fail)
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks.filter((block) => !block.startsWith(':')).map(eventOf)
    }
  } finally {
    // Whoever stops reading ends the stream.
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): { event: string; data: unknown } {
  const fields = new Map(block.split('\n').map(fieldOf))
  return { event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') as unknown }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}

export async function* nothing(): AsyncGenerator<never, void> {}
