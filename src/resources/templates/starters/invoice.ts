import { aside, callToAction, fact, facts, heading, page, paragraph } from './design.ts'
import { itemTable, optionalSum, sum } from './items.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, help, helpHtml, helpText, letterhead, wordmark } from './wording.ts'

export const invoice: Starter = {
  name: 'Invoice',
  alias: 'invoice',
  subject: 'Invoice {{ invoiceNumber }} from {{ companyName }}',
  variables: [
    ...letterhead,
    needed('invoiceNumber'),
    needed('dueDate'),
    needed('items'),
    needed('total'),
    optional('issuedAt'),
    optional('billedTo'),
    optional('subtotal'),
    optional('tax'),
    optional('payUrl'),
    optional('notes'),
    ...help,
  ],
  sample: {
    companyName: 'Studio Halm',
    firstName: 'Maren',
    invoiceNumber: 'H-2026-041',
    issuedAt: '2026-05-04',
    dueDate: '2026-05-18',
    billedTo: 'Fieldnote GmbH\nMurgasse 12\n8010 Graz',
    items: [
      { description: 'Design of the spring issue', quantity: '18 h', unitPrice: '€ 92.00', amount: '€ 1,656.00' },
      { description: 'Illustrations, set of four', quantity: '1', unitPrice: '€ 480.00', amount: '€ 480.00' },
    ],
    subtotal: '€ 2,136.00',
    tax: '€ 427.20',
    total: '€ 2,563.20',
    payUrl: 'https://pay.studiohalm.example/H-2026-041',
    notes: 'Please name the number of the invoice when you transfer the amount.\nIBAN AT61 1904 3002 3457 3201',
    supportEmail: 'office@studiohalm.example',
  },
  html: page({
    title: 'Invoice {{ invoiceNumber }}',
    preheader: '{{ total }}, due on {{ dueDate | date: "%B %-d, %Y" }}.',
    wordmark,
    content: [
      heading('Invoice {{ invoiceNumber }}'),
      paragraph(greeting),
      paragraph(
        'Thank you for working with us. Please pay <strong>{{ total }}</strong> by <strong style="white-space:nowrap">{{ dueDate | date: "%B %-d, %Y" }}</strong>.',
      ),
      '{% if payUrl != blank %}',
      callToAction('{{ payUrl }}', 'Pay this invoice'),
      '{% endif %}',
      facts([
        '{% if billedTo != blank %}',
        fact('Billed to', '{{ billedTo | newline_to_br }}'),
        '{% endif %}',
        '{% if issuedAt != blank %}',
        fact('Date', '{{ issuedAt | date: "%B %-d, %Y" }}'),
        '{% endif %}',
        fact('Due', '{{ dueDate | date: "%B %-d, %Y" }}'),
      ]),
      itemTable(
        'What this invoice is for',
        [
          { head: 'Description', cell: '{{ item.description }}', align: 'left' },
          {
            head: 'Quantity',
            cell: '{{ item.quantity | default: 1 }}{% if item.unitPrice != blank %} × {{ item.unitPrice }}{% endif %}',
            align: 'right',
          },
          { head: 'Amount', cell: '{{ item.amount }}', align: 'right' },
        ],
        [
          optionalSum('subtotal', 'Subtotal', 3, { ruled: true }),
          optionalSum('tax', 'Tax', 3),
          sum('Amount due', '{{ total }}', 3, { strong: true }),
        ],
      ),
      '{% if notes != blank %}',
      aside('{{ notes | newline_to_br }}'),
      '{% endif %}',
    ],
    footer: [helpHtml],
  }),
  text: `${greeting}

Thank you for working with us. Please pay {{ total }} by
{{ dueDate | date: "%B %-d, %Y" }}.
{% if payUrl != blank %}
Pay this invoice:
{{ payUrl }}
{% endif %}
Invoice {{ invoiceNumber }} from {{ companyName }}
{%- if issuedAt != blank %}
Date: {{ issuedAt | date: "%B %-d, %Y" }}
{%- endif %}
Due: {{ dueDate | date: "%B %-d, %Y" }}
{%- if billedTo != blank %}

Billed to:
{{ billedTo }}
{%- endif %}
{% for item in items %}
{{ item.description }}
  {{ item.quantity | default: 1 }}{% if item.unitPrice != blank %} x {{ item.unitPrice }}{% endif %}: {{ item.amount }}
{%- endfor %}
{% if subtotal != blank %}
Subtotal: {{ subtotal }}
{%- endif %}
{%- if tax != blank %}
Tax: {{ tax }}
{%- endif %}
Amount due: {{ total }}
{% if notes != blank %}
{{ notes }}
{% endif %}
--
${helpText}
`,
}
