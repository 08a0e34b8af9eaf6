import { callToAction, fact, facts, heading, link, page, paragraph } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, letterhead, wordmark } from './wording.ts'

export const notification: Starter = {
  name: 'Notification',
  alias: 'notification',
  subject: '{{ title }}',
  variables: [
    ...letterhead,
    needed('title'),
    needed('message'),
    optional('details'),
    optional('actionUrl'),
    optional('actionLabel', 'Have a look'),
    optional('settingsUrl'),
  ],
  sample: {
    companyName: 'Fieldnote',
    firstName: 'Maren',
    title: 'Jonas commented on “Spring issue, page 4”',
    message: 'The photograph of the greenhouse is lovely.\nCould we have it a little brighter?',
    details: [
      { label: 'Notebook', value: 'Spring issue' },
      { label: 'Comment by', value: 'Jonas Adler' },
      { label: 'When', value: 'Today at 16:20' },
    ],
    actionUrl: 'https://app.fieldnote.example/n/4?comment=91',
    actionLabel: 'Answer Jonas',
    settingsUrl: 'https://app.fieldnote.example/settings/notifications',
  },
  html: page({
    title: '{{ title }}',
    preheader: '{{ message | strip_newlines | truncate: 110 }}',
    wordmark,
    content: [
      heading('{{ title }}'),
      paragraph(greeting),
      paragraph('{{ message | newline_to_br }}'),
      '{% if details.size > 0 %}',
      facts(['{% for detail in details %}', fact('{{ detail.label }}', '{{ detail.value }}'), '{% endfor %}']),
      '{% endif %}',
      '{% if actionUrl != blank %}',
      callToAction('{{ actionUrl }}', '{{ actionLabel }}'),
      '{% endif %}',
    ],
    footer: [
      `You receive this message because of your settings at {{ companyName }}.{% if settingsUrl != blank %} ${link('{{ settingsUrl }}', 'Change them')}{% endif %}`,
    ],
  }),
  text: `{{ title }}

${greeting}

{{ message }}
{%- for detail in details %}
{%- if forloop.first %}
{% endif %}
{{ detail.label }}: {{ detail.value }}
{%- endfor %}
{% if actionUrl != blank %}
{{ actionLabel }}:
{{ actionUrl }}
{% endif %}
--
You receive this message because of your settings at {{ companyName }}.
{%- if settingsUrl != blank %}
Change them: {{ settingsUrl }}
{%- endif %}
`,
}
