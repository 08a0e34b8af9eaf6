import { callToAction, fact, facts, heading, page, paragraph } from './design.ts'
import { itemTable, optionalSum, sum } from './items.ts'
import { needed, optional, type Starter } from './starter.ts'
import { greeting, help, helpHtml, helpText, letterhead, wordmark } from './wording.ts'

export const receipt: Starter = {
  name: 'Receipt',
  alias: 'receipt',
  subject: 'Your receipt from {{ companyName }}, order {{ orderNumber }}',
  variables: [
    ...letterhead,
    needed('orderNumber'),
    needed('items'),
    needed('total'),
    optional('subtotal'),
    optional('tax'),
    optional('shipping'),
    optional('paidAt'),
    optional('paymentMethod'),
    optional('orderUrl'),
    ...help,
  ],
  sample: {
    companyName: 'Paper & Pine',
    firstName: 'Maren',
    orderNumber: '2026-1187',
    paidAt: '2026-05-04',
    paymentMethod: 'Visa ending in 4242',
    orderUrl: 'https://paperpine.example/orders/2026-1187',
    supportEmail: 'shop@paperpine.example',
    items: [
      { name: 'Notebook, dotted, 160 pages', quantity: 2, amount: '€ 38.00' },
      { name: 'Pencils of cedar wood, box of six', quantity: 1, amount: '€ 14.50' },
      { name: 'Desk mat, wool felt, grey', quantity: 1, amount: '€ 29.00' },
    ],
    subtotal: '€ 81.50',
    shipping: '€ 4.90',
    tax: '€ 14.40',
    total: '€ 86.40',
  },
  html: page({
    title: 'Your receipt, order {{ orderNumber }}',
    preheader: 'Thank you. We received {{ total }} for order {{ orderNumber }}.',
    wordmark,
    content: [
      heading('Thank you for your order'),
      paragraph(greeting),
      paragraph('We received your payment of <strong>{{ total }}</strong>. This is your receipt; please keep it.'),
      facts([
        fact('Order', '{{ orderNumber }}'),
        '{% if paidAt != blank %}',
        fact('Paid on', '{{ paidAt | date: "%B %-d, %Y" }}'),
        '{% endif %}',
        '{% if paymentMethod != blank %}',
        fact('Paid with', '{{ paymentMethod }}'),
        '{% endif %}',
      ]),
      itemTable(
        'What you ordered',
        [
          { head: 'Item', cell: '{{ item.name }}', align: 'left' },
          { head: 'Quantity', cell: '{{ item.quantity | default: 1 }}', align: 'right' },
          { head: 'Amount', cell: '{{ item.amount }}', align: 'right' },
        ],
        [
          optionalSum('subtotal', 'Subtotal', 3, { ruled: true }),
          optionalSum('shipping', 'Shipping', 3),
          sum('Total', '{{ total }}', 3, { strong: true }),
          optionalSum('tax', 'Tax, included', 3),
        ],
      ),
      '{% if orderUrl != blank %}',
      callToAction('{{ orderUrl }}', 'See your order'),
      '{% endif %}',
    ],
    footer: [helpHtml, 'You receive this message because you bought something at {{ companyName }}.'],
  }),
  text: `${greeting}

We received your payment of {{ total }}. This is your receipt;
please keep it.

Order: {{ orderNumber }}
{%- if paidAt != blank %}
Paid on: {{ paidAt | date: "%B %-d, %Y" }}
{%- endif %}
{%- if paymentMethod != blank %}
Paid with: {{ paymentMethod }}
{%- endif %}
{% for item in items %}
{{ item.quantity | default: 1 }} x {{ item.name }}: {{ item.amount }}
{%- endfor %}
{% if subtotal != blank %}
Subtotal: {{ subtotal }}
{%- endif %}
{%- if shipping != blank %}
Shipping: {{ shipping }}
{%- endif %}
Total: {{ total }}
{%- if tax != blank %}
Tax, included: {{ tax }}
{%- endif %}
{% if orderUrl != blank %}
See your order:
{{ orderUrl }}
{% endif %}
--
${helpText}
You receive this message because you bought something at {{ companyName }}.
`,
}
