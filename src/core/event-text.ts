/** An event of a stream, as browsers and others read them (HTML, "server-sent events"). JSON has no line ends of its own. */
export const eventText = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** A line that readers leave out: it shows those in between that the connection is alive. */
export const COMMENT = ':\n\n'
