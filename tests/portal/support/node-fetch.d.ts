/** Node's `fetch` sends a Buffer. The types of browsers, which these tests need for what runs in a page, do not know that. */
declare function fetch(
  input: URL,
  init: Omit<RequestInit, 'body'> & { body?: import('node:buffer').Buffer },
): Promise<Response>
