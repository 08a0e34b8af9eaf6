import { address, aside, callToAction, heading, page, panel, paragraph } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, letterhead, wordmark } from './wording.ts'

export const invitation: Starter = {
  name: 'Invitation',
  alias: 'invitation',
  subject: '{{ inviterName }} invites you to {{ teamName }}',
  variables: [
    ...letterhead,
    needed('inviterName'),
    needed('teamName'),
    needed('inviteUrl'),
    optional('role'),
    optional('message'),
    optional('expiresIn', '7 days'),
  ],
  sample: {
    companyName: 'Fieldnote',
    firstName: 'Maren',
    inviterName: 'Jonas Adler',
    teamName: 'Spring issue',
    role: 'editor',
    message: 'I have put the first drafts into the shared notebook.\nTell me what you think!',
    inviteUrl: 'https://app.fieldnote.example/join/7h3d-9wqa',
    expiresIn: '7 days',
  },
  html: page({
    title: '{{ inviterName }} invites you to {{ teamName }}',
    preheader: 'Join {{ teamName }} on {{ companyName }}.',
    wordmark,
    content: [
      heading('Join {{ teamName }}'),
      paragraph(greeting),
      paragraph(
        '{{ inviterName }} would like to work with you in <strong>{{ teamName }}</strong> on {{ companyName }}{% if role != blank %}, as {{ role }}{% endif %}.',
      ),
      '{% if message != blank %}',
      panel([paragraph('{{ message | newline_to_br }}', 8), aside('{{ inviterName }}', 0)].join('\n')),
      '{% endif %}',
      callToAction('{{ inviteUrl }}', 'Accept the invitation'),
      aside(
        'The invitation is good for {{ expiresIn }} and for you alone. If the button does nothing, open this address:',
      ),
      aside(address('{{ inviteUrl }}')),
    ],
    footer: [
      '{{ inviterName }} gave us this address to invite you. If you do not know them, ignore this message; we will not write again.',
    ],
  }),
  text: `${greeting}

{{ inviterName }} would like to work with you in "{{ teamName }}"
on {{ companyName }}{% if role != blank %}, as {{ role }}{% endif %}.
{% if message != blank %}
"{{ message }}"
{% endif %}
Accept the invitation:
{{ inviteUrl }}

It is good for {{ expiresIn }} and for you alone.

--
{{ inviterName }} gave us this address to invite you. If you do not know
them, ignore this message; we will not write again.
`,
}
