import { address, aside, callToAction, fact, facts, heading, page, paragraph } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, help, helpHtml, helpText, letterhead, wordmark } from './wording.ts'

export const passwordReset: Starter = {
  name: 'Password reset',
  alias: 'password-reset',
  subject: 'Choose a new password for {{ companyName }}',
  variables: [
    ...letterhead,
    needed('resetUrl'),
    optional('expiresIn', '1 hour'),
    optional('requestedAt'),
    optional('requestedFrom'),
    ...help,
  ],
  sample: {
    companyName: 'Fieldnote',
    firstName: 'Maren',
    resetUrl: 'https://app.fieldnote.example/reset/9s2p-vd4k-77xe',
    expiresIn: '1 hour',
    requestedAt: '2026-05-04T16:20:00Z',
    requestedFrom: 'Firefox on Linux, near Graz',
    supportEmail: 'help@fieldnote.example',
  },
  html: page({
    title: 'Choose a new password',
    preheader: 'You asked to set a new password. The link is good for {{ expiresIn }}.',
    wordmark,
    content: [
      heading('Choose a new password'),
      paragraph(greeting),
      paragraph(
        'You told us that you forgot your password for {{ companyName }}. It happens. Here you can choose another one:',
      ),
      callToAction('{{ resetUrl }}', 'Set a new password'),
      '{% if requestedAt != blank or requestedFrom != blank %}',
      facts([
        '{% if requestedAt != blank %}',
        fact('Asked for', '{{ requestedAt | date: "%B %-d, %Y, %H:%M UTC" }}'),
        '{% endif %}',
        '{% if requestedFrom != blank %}',
        fact('From', '{{ requestedFrom }}'),
        '{% endif %}',
      ]),
      '{% endif %}',
      aside(
        'The link works once, and for {{ expiresIn }}. <strong>Was it not you?</strong> Then ignore this message: your password stays as it is, and nobody else has seen this link.',
      ),
      aside(`If the button does nothing: ${address('{{ resetUrl }}')}`),
    ],
    footer: [helpHtml, 'We never ask for your password in a message.'],
  }),
  text: `${greeting}

You told us that you forgot your password for {{ companyName }}.
It happens. Here you can choose another one:

{{ resetUrl }}

The link works once, and for {{ expiresIn }}.
{%- if requestedAt != blank %}
Asked for on {{ requestedAt | date: "%B %-d, %Y, %H:%M UTC" }}.
{%- endif %}
{%- if requestedFrom != blank %}
Asked for from {{ requestedFrom }}.
{%- endif %}

Was it not you? Then ignore this message: your password stays as it is,
and nobody else has seen this link.

--
${helpText}
We never ask for your password in a message.
`,
}
