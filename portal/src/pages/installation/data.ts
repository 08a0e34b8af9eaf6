import type { Reply } from '@posthouse/sdk'
import { ask, download, save, useChange } from '../../shell/api.ts'

export type Installation = Reply<'GET /installation'>

export type OperatorMail = Reply<'GET /operator/mailbox'>['data'][number]

export const installation = () => ask('GET /installation', {})

export const operatorMail = () => ask('GET /operator/mailbox', {})

/** Ends the reminder of the copy of the master key. */
export const useNoteBackup = () => useChange('POST /installation/backup-noted', ['GET /installation', 'GET /notices'])

export async function saveOperatorMail(id: string): Promise<void> {
  const { blob, filename } = await download('GET /operator/mailbox/:id', { params: { id } })
  save(blob, filename ?? `${id}.eml`)
}
