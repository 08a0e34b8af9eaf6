/** Limits for one installation's SMTP server. A test may set stricter ones. */
export interface Limits {
  /** One message may have this many octets; the server announces it with SIZE. */
  messageBytes: number
  /**
   * The messages of all sessions together may take this many octets, not counting the first quarter of a megabyte of
   * each: a small message always finds room.
   */
  largeMessagesBytes: number
  recipients: number
  /** A message with more Received fields than this is in a loop (RFC 5321 §6.3). */
  receivedHeaders: number
  /**
   * A session ends after this many refused recipients. Legitimate senders drop them from the next attempt; guessers
   * start again.
   */
  badRecipients: number
  /** That we do not understand or that come at the wrong time, in one session. */
  badCommands: number
  /** A session ends after this many commands in a row without a message (NOOP, RSET and others). */
  idleCommands: number
  /** This many sessions may be open at once. At a full server, a session without content is ended for a new one. */
  connections: number
  /** From this many sessions on the `busy` time-outs apply, to clients that are already waiting as well. */
  busyConnections: number
  /** An IPv6 client has a whole /64 to itself, which counts as one. */
  connectionsPerClient: number
  /** An IPv4 /24 or an IPv6 /56, the size that one customer of a provider may have, may open this many. */
  connectionsPerNetwork: number
  /** An IPv6 /48, the size that a provider gives to a site, may open this many. */
  connectionsPerSite: number
  /** All times are in milliseconds. The server delays its greeting by this time, to find clients that talk first. */
  greetingMs: number
  /** A client may be silent for this long before a command, before the PROXY header and in the TLS handshake. */
  commandMs: number
  busyCommandMs: number
  /** Silence within a message, and the head start that every message has before its pace counts. */
  dataMs: number
  busyDataMs: number
  /** Content has to arrive at this many octets per second. */
  dataPace: number
  /** Afterwards no new command is taken; a message that is being received may end. */
  sessionMs: number
  /** A session ends when this time passes between the greeting or the last message and the next content. */
  withoutMessageMs: number
  /** At a full server, a session without a message for this long is ended for any new client. */
  evictAfterMs: number
  /** The other side has this long to read the last answer. */
  lingerMs: number
  /** Transactions that are open when the server stops may go on for this long. */
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
