/** The API reference at `/docs`: one page of plain HTML made from the OpenAPI document, without a script. */
export function referencePage(document: Record<string, unknown>): string {
  return `<!doctype html><title>Posthouse API</title><pre>${JSON.stringify(document)}</pre>`
}
