/**
 * The space for values that live briefly. While a program is loaded V8 would double it several times, for nothing but the
 * loading, and an idle process would keep it: 25 MB for the processes of a node. V8 reads the factor at each collection.
 */
import { setFlagsFromString } from 'node:v8'

export const keepYoungSpaceSmall = (): void => setFlagsFromString('--semi-space-growth-factor=1')

export const letYoungSpaceGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')
