/**
 * Reads server-sent events. Ours have one line with the name and one with the data, which is JSON; comments, which only keep
 * the connection open, are left out.
 */
export async function* eventsIn(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  fail: (cause: unknown) => never,
): AsyncGenerator<{ event: string; data: unknown }, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(fail)
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
