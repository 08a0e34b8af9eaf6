import { address, aside, callToAction, code, heading, page, panel, paragraph } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, letterhead, wordmark } from './wording.ts'

export const verifyAddress: Starter = {
  name: 'Verify address',
  alias: 'verify-address',
  subject: 'Please confirm your email address',
  variables: [...letterhead, needed('verifyUrl'), optional('code'), optional('expiresIn', '24 hours')],
  sample: {
    companyName: 'Fieldnote',
    firstName: 'Maren',
    verifyUrl: 'https://app.fieldnote.example/verify/3kq9-x7ra-mm2c',
    code: '418 027',
    expiresIn: '30 minutes',
  },
  html: page({
    title: 'Please confirm your email address',
    preheader: 'One tap and you are done. The link is good for {{ expiresIn }}.',
    wordmark,
    content: [
      heading('Is this your address?'),
      paragraph(greeting),
      paragraph('Please confirm that this address is yours. Then we know that our messages reach you, and only you.'),
      callToAction('{{ verifyUrl }}', 'Confirm my address'),
      '{% if code != blank %}',
      paragraph('Or type this code where you were asked for it:'),
      panel(code('{{ code }}')),
      '{% endif %}',
      aside('This works once, and for {{ expiresIn }}. If the button does nothing, open this address in your browser:'),
      aside(address('{{ verifyUrl }}')),
    ],
    footer: [
      'Somebody entered this address at {{ companyName }}. If it was not you, ignore this message: nothing happens.',
    ],
  }),
  text: `${greeting}

Please confirm that this address is yours. Then we know that our
messages reach you, and only you. Open this link:

{{ verifyUrl }}
{% if code != blank %}
Or type this code where you were asked for it:

    {{ code }}
{% endif %}
This works once, and for {{ expiresIn }}.

--
Somebody entered this address at {{ companyName }}. If it was not you,
ignore this message: nothing happens.
`,
}
