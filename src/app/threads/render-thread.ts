/** A thread that fills in templates and reads html. It holds nothing, knows no database, and may be ended at any moment. */
import { parentPort } from 'node:worker_threads'
import { readMailing } from '../../mail/compose/mailing.ts'
import { MessageFiller } from '../../template/index.ts'
import { textFromHtml } from '../../mail/text.ts'
import type { RenderAnswers, RenderQuestion } from '../../resources/templates/index.ts'
import { stepBack } from './step-back.ts'

const filler = new MessageFiller()

stepBack()
parentPort?.on('message', ({ id, question }: { id: number; question: RenderQuestion }) => {
  try {
    parentPort?.postMessage({ id, answer: answerTo(question) })
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
parentPort?.postMessage('ready')

function answerTo(question: RenderQuestion): RenderAnswers[RenderQuestion['type']] {
  if (question.type === 'text') return textFromHtml(question.sources.html)
  if (question.type === 'problems') {
    const problems = filler.problems(question.sources)
    return problems === 'expensive' ? [] : problems
  }
  const filled = filler.fill(question.sources, question.variables, question.now)
  if (question.type === 'fill' || filled.kind !== 'filled') return filled
  return { kind: 'filled', parts: readMailing(filled.parts, question.unsubscribeUrl) }
}
