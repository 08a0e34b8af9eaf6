import { markup, type Markup } from '../core/markup.ts'
import { JSON_TYPE, refusalsOf, type Content, type Operation, type Refusal } from './document.ts'
import { figure, fold, prose, section, table } from './markup.ts'
import { curl, sample } from './sample.ts'
import { contentText, parameterTable } from './shape.ts'

/** All that there is to know of one operation: what it takes, answers and refuses, beside an example. */
export function operationSection(operation: Operation): Markup {
  const { operationId, summary, parameters, requestBody, 'x-required-scope': scope } = operation
  const [title = '', ...more] = summary.split(/(?<=\.) /)
  const replies = repliesOf(operation)
  return section(
    operationId,
    markup`<h3><a href="#${operationId}">${title.replace(/\.$/, '')}</a></h3>
<p class="path">${address(operation)}</p>${prose(more.join(' '))}
<p><small>${scope === undefined ? 'No key needed' : markup`Requires the scope <code>${scope}</code>`}</small></p>
${parameters && markup`<h4>Parameters</h4>${parameterTable(operation)}`}
${requestBody && markup`<h4>Body</h4>${contentText(requestBody.content, 'request')}`}
${replies.map(([status, content]) => fold(`Response ${status}: fields`, contentText(content, 'response')))}
${fold('Errors', refusalTable(refusalsOf(operation)))}`,
    markup`${figure('Request', curl(operation))}${replies.map(
      ([status, { [JSON_TYPE]: media }]) => media && figure(`Response ${status}`, sample(media.schema, '', 'response')),
    )}`,
  )
}

/** Successes by shape: two statuses that answer alike are told together. */
function repliesOf({ responses }: Operation): [status: string, Content][] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const alike = Map.groupBy(successes, ([, { content }]) => JSON.stringify(content))
  return [...alike.values()].map((same) => [same.map(([status]) => status).join(' or '), same[0]?.[1].content ?? {}])
}

/** Long paths break before a slash, where the eye expects it. */
function address({ method, path }: Operation): Markup {
  const parts = path.split(/(?=\/)/).map((part) => markup`<wbr>${part}`)
  return markup`<b style="color: var(--${method})">${method.toUpperCase()}</b> <code>${parts}</code>`
}

export const refusalTable = (refusals: Refusal[]): Markup =>
  table(
    'Code',
    'Meaning',
    refusals.map(({ code, status, meaning }) => [code, String(status), prose(meaning)]),
  )

export const links = (operations: Operation[]): Markup =>
  markup`<ul class="links">${operations.map(
    (each) => markup`<li><a href="#${each.operationId}">${address(each)}</a>\n`,
  )}</ul>`
