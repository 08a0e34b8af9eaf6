/** Node joins a header that was sent twice with commas, which then is no id; only its types have a list. */
export const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header
