import { Dialog } from '../kit/dialog.tsx'
import { withModifier } from '../kit/keys.ts'
import { Notice } from '../kit/notice.tsx'
import { useSettings } from '../kit/settings.ts'
import { Key } from '../kit/text.tsx'
import { words } from '../words/words.ts'
import styles from './frame.module.css'
import { useNavigation } from './pages.ts'

type Line = [keys: readonly string[], what: string]

/** All keys, by what they are for. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { singleKeys } = useSettings()
  const text = words.shell.keys
  const pages: Line[] = useNavigation()
    .flatMap(({ links }) => links)
    .flatMap(({ key, label }): Line[] => (key === undefined ? [] : [[['g', key], label]]))
  return (
    <Dialog size="large" title={text.title} isOpen={isOpen} onClose={onClose}>
      {!singleKeys && <Notice tone="none">{text.off}</Notice>}
      <div className={styles.keys}>
        <Lines
          title={text.general}
          lines={[
            [[withModifier('K')], text.palette],
            [['?'], text.all],
            [['c'], text.send],
            [['.'], text.menu],
            [['r'], text.refresh],
            [['Esc'], text.up],
            [['[', ']'], text.neighbours],
            [[withModifier('Enter')], text.submit],
          ]}
        />
        <Lines
          title={text.lists}
          lines={[
            [['/'], text.filter],
            [['j', 'k'], text.move],
            [['Enter'], text.open],
            [['x'], text.select],
            [['n'], text.fresh],
          ]}
        />
        <Lines title={text.go} lines={pages} />
      </div>
    </Dialog>
  )
}

const Lines = ({ title, lines }: { title: string; lines: readonly Line[] }) => (
  <section>
    <h3>{title}</h3>
    <dl>
      {lines.map(([keys, what]) => (
        <div key={what} className={styles.keyLine}>
          <dt>{what}</dt>
          <dd>
            {keys.map((key) => (
              <Key key={key}>{key}</Key>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
