import type { AnswerTo, Question, ReaderData } from './parser-messages.ts'
import { Thread } from './thread.ts'

/** Enough for the largest message that is taken; a thread that wants more ends. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32 }

/** One thread that reads mail, from our side. */
export class Reader extends Thread<Question, AnswerTo> {
  constructor(data: ReaderData) {
    super(new URL('parser-thread.ts', import.meta.url), data, LIMITS)
  }
}
