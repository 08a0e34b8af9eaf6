import { indented, light } from './design.ts'

/** A list of things with their prices. A table of data, so it has heads that a screen reader can read out. */

export interface Column {
  readonly head: string
  /** What a row shows, in terms of `item`. */
  readonly cell: string
  readonly align: 'left' | 'right'
}

export const itemTable = (label: string, columns: readonly Column[], sums: readonly string[]): string =>
  `<table aria-label="${label}" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 28px">
  <tr>
${indented(columns.map(head).join('\n'), 4)}
  </tr>
  {%- for item in items %}
  <tr>
${indented(columns.map(cell).join('\n'), 4)}
  </tr>
  {%- endfor %}
${indented(sums.join('\n'), 2)}
</table>`

const head = ({ head, align }: Column, index: number): string =>
  `<th scope="col" align="${align}" class="soft" style="padding:0 0 8px ${index === 0 ? 0 : 16}px;font-size:13px;line-height:20px;font-weight:600;color:${light.soft};text-align:${align}">${head}</th>`

const cell = ({ cell, align }: Column, index: number): string =>
  `<td valign="top" align="${align}" class="ink line" style="padding:12px 0 12px ${index === 0 ? 0 : 16}px;border-top:1px solid ${light.line};font-size:15px;line-height:22px;color:${light.ink}${index === 0 ? '' : FIGURES}">${cell}</td>`

/** Figures of one width stand below each other. */
const FIGURES = ';white-space:nowrap;font-variant-numeric:tabular-nums'

interface SumStyle {
  readonly strong?: boolean
  /** A line above sets it apart from what comes before. */
  readonly ruled?: boolean
}

/** One line below the items; `columns` is the number of their columns. */
export function sum(
  label: string,
  value: string,
  columns: number,
  { strong = false, ruled = strong }: SumStyle = {},
): string {
  const weight = strong ? 700 : 400
  const [tone, colour] = strong ? ['ink', light.ink] : ['soft', light.soft]
  const line = ruled ? `;border-top:1px solid ${light.line}` : ''
  const space = ruled ? '12px 0 8px' : '0 0 10px'
  return `<tr>
  <td colspan="${columns - 1}" class="${tone} line" style="padding:${space}${line};font-size:15px;line-height:22px;font-weight:${weight};color:${colour}">${label}</td>
  <td align="right" class="${tone} line" style="padding:${space}${line};font-size:15px;line-height:22px;font-weight:${weight};color:${colour}${FIGURES}">${value}</td>
</tr>`
}

/** Shown when there is something to show. */
export const optionalSum = (name: string, label: string, columns: number, style: SumStyle = {}): string =>
  `{% if ${name} != blank %}
${sum(label, `{{ ${name} }}`, columns, style)}
{% endif %}`
