import type { ReactNode } from 'react'
import type { StateTone } from './badge.tsx'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icons.tsx'
import styles from './notice.module.css'
import { Foreign, Strong } from './text.tsx'

export interface NoticeProps {
  tone?: StateTone
  title?: string | undefined
  children?: ReactNode
  /** Buttons or links that help. */
  actions?: ReactNode
  /** `status` is read out when it appears, `alert` at once; leave it out for what is there from the beginning. */
  role?: 'status' | 'alert'
  /** Across the whole width, above the page. */
  isBanner?: boolean
  id?: string
}

const icons: Readonly<Record<StateTone, IconName>> = {
  ok: 'done',
  info: 'info',
  warn: 'warning',
  bad: 'problem',
  plan: 'pause',
  none: 'info',
}

/** Something that the reader should know, in its place on the page. */
export const Notice = ({ tone = 'info', title, children, actions, role, isBanner = false, id }: NoticeProps) => (
  <div className={classes(styles.notice, styles[tone], isBanner && styles.banner)} role={role} id={id}>
    <Icon name={icons[tone]} />
    <div className={styles.body}>
      <p>
        {title !== undefined && <Strong>{title}</Strong>} {typeof children === 'string' && <Foreign text={children} />}
      </p>
      {typeof children !== 'string' && children}
    </div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
)
