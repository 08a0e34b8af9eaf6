import { link } from './design.ts'
import { needed, optional, type StarterVariable } from './starter.ts'

/** What several starters say in the same words. */

export const greeting = 'Hello{% if firstName != blank %} {{ firstName }}{% endif %},'

export const wordmark = '{{ companyName }}'

/** Who sends this, and to whom it speaks. */
export const letterhead: readonly StarterVariable[] = [needed('companyName'), optional('firstName')]

export const help: readonly StarterVariable[] = [optional('supportEmail')]

export const helpHtml = `{% if supportEmail != blank %}Questions? Write to ${link('mailto:{{ supportEmail }}', '{{ supportEmail }}')}.{% else %}Questions? Just reply to this message.{% endif %}`

export const helpText =
  '{% if supportEmail != blank %}Questions? Write to {{ supportEmail }}.{% else %}Questions? Just reply to this message.{% endif %}'
