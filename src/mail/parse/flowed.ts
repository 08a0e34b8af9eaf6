/** RFC 3676: a line that ends with a space goes on in the next one, if both are quoted alike. */
export function unflow(text: string, deletesSpace: boolean): string {
  const out: string[] = []
  let [open, depth] = [false, 0]
  for (const line of text.split('\n')) {
    const quotes = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(quotes).replace(/^ /, '')
    const continues = open && quotes === depth && content !== SIGNATURE
    if (continues) out.push(content)
    else out.push(out.length === 0 ? '' : '\n', quotes === 0 ? '' : `${'>'.repeat(quotes)} `, content)
    // §4.3: the mark of a signature ends with a space and is a line of its own.
    open = content.endsWith(' ') && content !== SIGNATURE
    depth = quotes
    if (open && deletesSpace) out[out.length - 1] = content.slice(0, -1)
  }
  return out.join('')
}

const SIGNATURE = '-- '
