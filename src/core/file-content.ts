/** A file to hand out: text that is made while it is sent, or bytes that somebody else has made. */
export interface FileContent {
  /** Its media type. */
  type: string
  filename: string
  content: AsyncIterable<string> | Buffer
}
