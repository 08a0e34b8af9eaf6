import { bodyCheck } from '../../shapes/validation.ts'
import { ImportedContact } from './schema.ts'

/** Whether a row of an import has the shape of a contact. */
export const checkRow = bodyCheck(ImportedContact)
export type RowCheck = typeof checkRow
