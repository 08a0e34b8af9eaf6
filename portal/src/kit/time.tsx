import { createContext, useContext } from 'react'
import { clockTime, fullTime, relativeTime, shortTime } from './format.ts'
import { useNow } from './now.ts'
import { useSettings } from './settings.ts'
import styles from './time.module.css'

export interface TimeProps {
  /** As the API writes it. */
  at: string | null | undefined
  /** `relative` is "4 min ago" up to a day, `clock` the time of day with seconds, `short` date and time. */
  form?: 'relative' | 'clock' | 'short'
}

/** Rows of tables have many times; there they are no stops of the Tab key. */
export const TimesAreStops = createContext(true)

/** A moment in the person's zone; the whole of it, with the zone and in UTC, on hover and focus. */
export function Time({ at, form = 'relative' }: TimeProps) {
  useSettings()
  const isStop = useContext(TimesAreStops)
  const now = useNow(form === 'relative' ? 1_000 : 86_400_000)
  const moment = new Date(at ?? Number.NaN)
  if (at === null || at === undefined || Number.isNaN(moment.getTime())) return <span>–</span>
  const shown =
    form === 'clock'
      ? clockTime(moment)
      : form === 'short'
        ? shortTime(moment)
        : relativeTime(moment, Math.max(now, Date.now() - 1_000))
  return (
    // A time explains itself on focus as it does on hover, so that keyboards reach the explanation.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <time className={styles.time} dateTime={at} data-tip={fullTime(moment)} tabIndex={isStop ? 0 : undefined}>
      {shown}
    </time>
  )
}

/** How long until a moment: "in 4 min"; nothing once it is over. */
export function Countdown({ to }: { to: string | null | undefined }) {
  useSettings()
  const now = Math.max(useNow(), Date.now() - 1_000)
  const moment = new Date(to ?? Number.NaN)
  if (Number.isNaN(moment.getTime()) || moment.getTime() <= now) return null
  return <span className={styles.time}>{relativeTime(moment, now)}</span>
}
