/**
 * The body of an answer to `fetch`, unpacked, or an error when it is longer than it may be. What `fetch` reads by itself
 * has no bound: within a minute somebody who never ends can fill the memory of any process.
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
