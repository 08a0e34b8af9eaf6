import { callToAction, heading, page, paragraph, rule, subheading } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, help, helpHtml, helpText, letterhead, wordmark } from './wording.ts'

export const welcome: Starter = {
  name: 'Welcome',
  alias: 'welcome',
  subject: 'Welcome to {{ companyName }}',
  variables: [
    ...letterhead,
    needed('actionUrl'),
    optional('actionLabel', 'Open your account'),
    optional('steps'),
    ...help,
  ],
  sample: {
    companyName: 'Fieldnote',
    firstName: 'Maren',
    actionUrl: 'https://app.fieldnote.example/start',
    supportEmail: 'help@fieldnote.example',
    steps: [
      { title: 'Make your first notebook', text: 'One is enough to begin with. You can sort things out later.' },
      { title: 'Bring your notes along', text: 'We read the files of most other apps, folders included.' },
      { title: 'Invite the people you work with', text: 'They see what you share, and nothing else.' },
    ],
  },
  html: page({
    title: 'Welcome to {{ companyName }}',
    preheader: 'Your account is ready. Here is how to begin.',
    wordmark,
    content: [
      heading('Good to have you here'),
      paragraph(greeting),
      paragraph('Your account at {{ companyName }} is ready. You can sign in whenever you like and look around.'),
      callToAction('{{ actionUrl }}', '{{ actionLabel }}'),
      '{% if steps.size > 0 %}',
      rule(),
      '{% for step in steps %}',
      subheading('{{ forloop.index }}. {{ step.title }}'),
      paragraph('{{ step.text }}'),
      '{% endfor %}',
      '{% endif %}',
    ],
    footer: [helpHtml, 'You receive this message because you opened an account at {{ companyName }}.'],
  }),
  text: `${greeting}

Your account at {{ companyName }} is ready. You can sign in whenever
you like and look around.

{{ actionLabel }}:
{{ actionUrl }}
{% for step in steps %}
{{ forloop.index }}. {{ step.title }}
   {{ step.text }}
{% endfor %}
--
${helpText}
You receive this message because you opened an account at {{ companyName }}.
`,
}
