import { Badge } from '../../kit/badge.tsx'
import { proofOf, type ReceivedRow } from './data.ts'

/** What the sender could prove, in a word. */
export function Proof({ mail }: { mail: Pick<ReceivedRow, 'auth'> }) {
  const { tone, word } = proofOf(mail)
  return <Badge tone={tone}>{word}</Badge>
}
