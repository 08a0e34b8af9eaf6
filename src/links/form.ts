/** Reads a form. A body that is not a form is read as an empty one. */
export async function readForm(body: unknown, contentType: string | undefined): Promise<FormData> {
  if (!Buffer.isBuffer(body)) return new FormData()
  const headers = { 'content-type': contentType ?? 'application/x-www-form-urlencoded' }
  try {
    return await new Response(new Uint8Array(body), { headers }).formData()
  } catch {
    return new FormData()
  }
}

/** RFC 8058 §3.2 defines this field. */
export const isOneClick = (form: FormData): boolean =>
  [...form].some(
    ([name, value]) => name.toLowerCase() === 'list-unsubscribe' && String(value).trim().toLowerCase() === 'one-click',
  )

export const wordsIn = (form: FormData, name: string): string[] =>
  form.getAll(name).filter((value) => typeof value === 'string')
