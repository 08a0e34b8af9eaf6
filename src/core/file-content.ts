/** A file for download: text that is made while it is sent, or bytes that exist already. */
export interface FileContent {
  /** Its media type. */
  type: string
  filename: string
  content: AsyncIterable<string> | Buffer
}
