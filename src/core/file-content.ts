/** A file for download: text that is made while it is sent, or bytes that exist already. */
export interface FileContent {
  /** The media type of the file. */
  type: string
  filename: string
  content: AsyncIterable<string> | Buffer
  /** What is said about it besides, as headers of the answer. */
  headers?: Readonly<Record<string, string>>
}
