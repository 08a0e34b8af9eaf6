/** How much a stranger may ask of us. All of it can be set, so that a test can be stricter. */
export interface Limits {
  /** Octets of one message, announced with SIZE. */
  messageBytes: number
  /**
   * For the messages of all sessions together, as far as each is larger than a quarter of a megabyte: what is small
   * always finds room, however many large ones are being received.
   */
  largeMessagesBytes: number
  recipients: number
  /** More header fields of this kind mean that a message goes in circles (RFC 5321 §6.3). */
  receivedHeaders: number
  /** Refused for good, in one session. Legitimate senders drop those from the next attempt; guessers start again. */
  badRecipients: number
  /** That we do not understand or that come at the wrong time, in one session. */
  badCommands: number
  /** In a row without a message: NOOP, RSET and others that lead nowhere. */
  idleCommands: number
  /** Sessions at the same time. When there are so many, one without content gives its place to a newcomer. */
  connections: number
  /** From so many sessions on the waits named `busy` count, for those who wait already as well. */
  busyConnections: number
  /** An IPv6 client has a whole /64 to itself, which counts as one. */
  connectionsPerClient: number
  /** From an IPv4 /24 or an IPv6 /56: what a single customer of a provider may have. */
  connectionsPerNetwork: number
  /** From an IPv6 /48: what a provider gives to a site. */
  connectionsPerSite: number
  /** In milliseconds, as all below: how long we wait with the greeting, to see who talks before being greeted. */
  greetingMs: number
  /** Silence before a command; also for the PROXY header and the TLS handshake. */
  commandMs: number
  busyCommandMs: number
  /** Silence within a message, and the head start that every message has before its pace counts. */
  dataMs: number
  busyDataMs: number
  /** Octets per second. */
  dataPace: number
  /** Afterwards no new command is taken; a message that is being received may end. */
  sessionMs: number
  /** From the greeting, or from the last message, to the content of the next one, whatever is said in between. */
  withoutMessageMs: number
  /** So long without a message, and any newcomer may have the place of the session when the server is full. */
  evictAfterMs: number
  /** For the other side to read our last words. */
  lingerMs: number
  /** For transactions that are open when we are told to stop. */
  graceMs: number
}

export const usualLimits: Limits = {
  messageBytes: 30 * 1024 * 1024,
  largeMessagesBytes: 128 * 1024 * 1024,
  recipients: 100,
  receivedHeaders: 50,
  badRecipients: 5,
  badCommands: 10,
  idleCommands: 30,
  connections: 500,
  busyConnections: 250,
  connectionsPerClient: 20,
  connectionsPerNetwork: 60,
  connectionsPerSite: 120,
  greetingMs: 0,
  commandMs: 60_000,
  busyCommandMs: 10_000,
  dataMs: 300_000,
  busyDataMs: 30_000,
  dataPace: 16_384,
  sessionMs: 3_600_000,
  withoutMessageMs: 300_000,
  evictAfterMs: 5_000,
  lingerMs: 2_000,
  graceMs: 20_000,
}
