/**
 * Reads the body of an answer to `fetch`, decompressed, and throws when it is longer than allowed. `fetch` itself has
 * no limit: a server that never stops sending could fill the memory of any process within a minute.
 */
export async function bytesOf(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > most) throw new Error(`an answer of more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
