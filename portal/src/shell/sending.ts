import { ask } from './api.ts'

const AGAIN_MS = 30_000

/** Whether anything leaves the installation: the banner above all pages asks for it, and so does the queue. */
export const sendingQuery = () => ({
  ...ask('GET /sending', { query: { due: false } }),
  staleTime: AGAIN_MS,
  refetchInterval: AGAIN_MS,
})
