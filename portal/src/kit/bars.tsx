import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import styles from './bars.module.css'
import { classes } from './classes.ts'
import { formatNumber } from './format.ts'
import { useGo } from './link.tsx'

export type BarTone = 'info' | 'warn' | 'bad'

export interface BarSeries {
  name: string
  label: string
  /** Gives the colour, and a pattern with it. */
  tone: BarTone
}

export interface Bar {
  /** Short, for the axis. */
  label: string
  /** The whole time, for who asks. */
  title: string
  /** In the order of the series. */
  values: readonly number[]
}

export interface BarsProps {
  label: string
  series: readonly BarSeries[]
  bars: readonly Bar[]
  /** Where a bar leads, or one part of it. */
  barTo?: ((bar: number, series: number | undefined) => string) | undefined
}

/**
 * Counts as stacked bars. For keys and screen readers it is a slider along the time: arrow keys move a cursor, whose values
 * are read out; Enter follows the bar. What it shows as a picture is below in words, for the bar under the cursor.
 */
export function Bars({ label, series, bars, barTo }: BarsProps) {
  const [cursor, setCursor] = useState<number>()
  const go = useGo()
  const last = bars.length - 1
  const at = Math.min(cursor ?? last, last)
  const top = roundedUp(Math.max(1, ...bars.map(({ values }) => sum(values))))
  const follow = (bar: number, part: number | undefined): void => {
    if (barTo !== undefined) go(barTo(bar, part))
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const isBackwards = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = keyed(event.key, at, last, isBackwards)
    if (event.key === 'Enter') follow(at, undefined)
    else if (next === undefined) return
    else setCursor(next)
    event.preventDefault()
  }
  const click = ({ target }: MouseEvent<HTMLElement>): void => {
    const { bar, part } = placeOf(target)
    if (bar !== undefined) follow(bar, part)
  }
  const shown = bars[at]
  return (
    <div className={styles.plot}>
      <div className={styles.scale} aria-hidden="true">
        {[1, 2 / 3, 1 / 3, 0].map((share) => (
          <span key={share}>{formatNumber(Math.round(top * share))}</span>
        ))}
      </div>
      <div
        className={classes(styles.bars, barTo !== undefined && styles.pressable)}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={shown === undefined ? undefined : spoken(shown, series)}
        onKeyDown={press}
        onClick={click}
        onPointerMove={({ target }) => {
          const { bar } = placeOf(target)
          if (bar !== undefined) setCursor(bar)
        }}
      >
        {bars.map(({ title, values }, place) => (
          <div key={title} className={styles.bar} data-bar={place} data-here={place === cursor || undefined}>
            {values.map((value, part) => (
              <div
                key={series[part]?.name}
                className={styles[series[part]?.tone ?? 'info']}
                data-bar={place}
                data-part={part}
                style={{ blockSize: `${(100 * value) / top}%` }}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={styles.axis} aria-hidden="true">
        {marked(bars).map(({ label: text, place }) => (
          <span key={place} style={{ insetInlineStart: `${(100 * place) / bars.length}%` }}>
            {text}
          </span>
        ))}
      </div>
      {shown !== undefined && (
        <p className={styles.values} aria-hidden="true">
          {spoken(shown, series)}
        </p>
      )}
    </div>
  )
}

/** What the colours and patterns mean. */
export const Legend = ({ series }: { series: readonly BarSeries[] }) => (
  <ul className={styles.legend}>
    {series.map(({ name, label, tone }) => (
      <li key={name}>
        <span className={classes(styles.sample, styles[tone])} />
        {label}
      </li>
    ))}
  </ul>
)

export interface ShareBarProps {
  /** The same in words. */
  label: string
  series: readonly BarSeries[]
  values: readonly number[]
}

/** The parts of a whole, as one lying bar. */
export const ShareBar = ({ label, series, values }: ShareBarProps) => (
  <div className={styles.shares} role="img" aria-label={label}>
    {values.map((value, part) => (
      <div
        key={series[part]?.name}
        className={styles[series[part]?.tone ?? 'info']}
        style={{ inlineSize: `${(100 * value) / Math.max(1, sum(values))}%` }}
      />
    ))}
  </div>
)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const spoken = ({ title, values }: Bar, series: readonly BarSeries[]): string =>
  `${title}: ${series.map(({ label }, part) => `${label} ${formatNumber(values[part] ?? 0)}`).join(', ')}`

function keyed(key: string, at: number, last: number, isBackwards: boolean): number | undefined {
  const ways: Readonly<Record<string, number>> = {
    ArrowLeft: isBackwards ? at + 1 : at - 1,
    ArrowRight: isBackwards ? at - 1 : at + 1,
    ArrowDown: at - 1,
    ArrowUp: at + 1,
    Home: 0,
    End: last,
  }
  const next = ways[key]
  return next === undefined ? undefined : Math.min(last, Math.max(0, next))
}

function placeOf(target: EventTarget): { bar: number | undefined; part: number | undefined } {
  const { bar, part } = target instanceof HTMLElement ? target.dataset : {}
  return { bar: bar === undefined ? undefined : Number(bar), part: part === undefined ? undefined : Number(part) }
}

/** A number that can be divided into three, and is easily read. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  const tops = [1.2, 1.5, 1.8, 2.4, 3, 4.5, 6, 7.5, 9, 12].map((factor) => factor * unit)
  return tops.find((top) => top >= value && Number.isInteger(top / 3)) ?? 3 * Math.ceil(value / 3)
}

/** Six of them at most, evenly, each at the place of its bar. */
function marked(bars: readonly Bar[]): { label: string; place: number }[] {
  const step = Math.max(1, Math.ceil(bars.length / 6))
  return bars.flatMap(({ label }, place) => (place % step === 0 ? [{ label, place }] : []))
}
