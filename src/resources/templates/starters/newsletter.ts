import { callToAction, heading, link, page, paragraph, rule, subheading } from './design.ts'
import { needed, optional, type Starter } from './starter.ts'

/** In a broadcast, the name of the project and the links at the end are there without being passed. */
const sender = '{{ companyName | default: project.name }}'
const senderOrUs = '{{ companyName | default: project.name | default: "us" }}'

const picture = `{% if article.imageUrl != blank %}
<a href="{{ article.url }}"><img src="{{ article.imageUrl }}" alt="{{ article.imageAlt }}" width="502" style="display:block;width:100%;max-width:502px;height:auto;margin:0 0 16px;border:0;border-radius:8px"></a>
{% endif %}`

export const newsletter: Starter = {
  name: 'Newsletter',
  alias: 'newsletter',
  subject: '{{ title }}',
  variables: [
    needed('title'),
    needed('articles'),
    needed('unsubscribeUrl'),
    optional('preferencesUrl'),
    optional('companyName'),
    optional('project'),
    optional('firstName'),
    optional('intro'),
    optional('closing'),
    optional('actionUrl'),
    optional('actionLabel', 'Read more'),
    optional('postalAddress'),
  ],
  sample: {
    title: 'Notes from the garden, May',
    firstName: 'Maren',
    project: { name: 'The Allotment' },
    intro:
      'It rained for a week, and everything grew at once. Here is what kept us busy, and what can wait until June.',
    articles: [
      {
        title: 'Tomatoes may go out now',
        text: 'The nights stay above eight degrees. Harden the plants for three days, then set them deep: roots grow from the buried stem, and the plant stands firm in the first wind.',
        url: 'https://allotment.example/tomatoes',
      },
      {
        title: 'What the slugs leave alone',
        text: 'A list of forty plants, from fennel to phlox, that came through the wettest spring in years without a bite.',
        url: 'https://allotment.example/slugs',
      },
      {
        title: 'Swap day on the 23rd',
        text: 'Bring what you have too much of. Seedlings, tools, advice. We begin at ten by the big water tank.',
        url: 'https://allotment.example/swap',
      },
    ],
    actionUrl: 'https://allotment.example',
    actionLabel: 'See the whole calendar',
    closing: 'Until June,\nIda and Tomas',
    unsubscribeUrl: 'https://allotment.example/u/8f2c',
    preferencesUrl: 'https://allotment.example/p/8f2c',
    postalAddress: 'The Allotment, Gartenweg 3, 8010 Graz, Austria',
  },
  html: page({
    title: '{{ title }}',
    preheader: '{{ intro | default: articles.first.title | truncate: 110 }}',
    wordmark: sender,
    content: [
      heading('{{ title }}'),
      '{% if intro != blank %}',
      paragraph('Hello{% if firstName != blank %} {{ firstName }}{% endif %},'),
      paragraph('{{ intro | newline_to_br }}'),
      '{% endif %}',
      '{% for article in articles %}',
      rule(),
      picture,
      subheading('{{ article.title }}'),
      paragraph('{{ article.text | newline_to_br }}', 10),
      '{% if article.url != blank %}',
      paragraph(link('{{ article.url }}', 'Read on', 'Read on: {{ article.title }}')),
      '{% endif %}',
      '{% endfor %}',
      '{% if actionUrl != blank %}',
      rule(),
      callToAction('{{ actionUrl }}', '{{ actionLabel }}'),
      '{% endif %}',
      '{% if closing != blank %}',
      paragraph('{{ closing | newline_to_br }}'),
      '{% endif %}',
    ],
    footer: [
      `You receive this because you signed up for news from ${senderOrUs}.`,
      `${link('{{ unsubscribeUrl }}', 'Unsubscribe')}{% if preferencesUrl != blank %} or ${link('{{ preferencesUrl }}', 'choose what you receive')}{% endif %}, at any time and without a reason.`,
      '{% if postalAddress != blank %}{{ postalAddress }}{% endif %}',
    ],
  }),
  text: `{{ title }}
{%- if intro != blank %}

Hello{% if firstName != blank %} {{ firstName }}{% endif %},

{{ intro }}
{%- endif %}
{%- for article in articles %}

* {{ article.title }}

{{ article.text }}
{%- if article.url != blank %}
{{ article.url }}
{%- endif %}
{%- endfor %}
{% if actionUrl != blank %}
{{ actionLabel }}:
{{ actionUrl }}
{% endif %}
{%- if closing != blank %}
{{ closing }}
{% endif %}
--
You receive this because you signed up for news from ${senderOrUs}.
Unsubscribe: {{ unsubscribeUrl }}
{%- if preferencesUrl != blank %}
Choose what you receive: {{ preferencesUrl }}
{%- endif %}
{%- if postalAddress != blank %}
{{ postalAddress }}
{%- endif %}
`,
}
