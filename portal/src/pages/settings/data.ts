import { ask, useChange } from '../../shell/api.ts'

export const workspace = () => ask('GET /workspace', {})

export const useUpdateWorkspace = () => useChange('PATCH /workspace', ['GET /workspace', 'GET /session'])
