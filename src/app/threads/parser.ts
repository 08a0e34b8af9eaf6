import type { AnswerTo, Question, ParserData } from './parser-messages.ts'
import { Thread } from './thread.ts'

/** Enough for the largest message that is taken; a thread that wants more ends. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32 }

/** A thread that parses mail, as its pool sees it. */
export class ParserThread extends Thread<Question, AnswerTo> {
  constructor(data: ParserData) {
    super(new URL('parser-thread.ts', import.meta.url), data, LIMITS)
  }
}
