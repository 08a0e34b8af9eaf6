import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { classes } from '../classes.ts'
import { Icon, type IconName } from '../icons.tsx'
import { Foreign, Hidden, Key } from '../text.tsx'
import styles from './floating.module.css'

export interface PaletteEntry {
  id: string
  label: string
  hint?: string | undefined
  icon?: IconName | undefined
  keys?: string | undefined
  run: () => void
}

export interface PaletteGroup {
  title: string
  items: readonly PaletteEntry[]
}

export interface PaletteProps {
  /** The name of the dialog and of its field. */
  label: string
  placeholder: string
  nothing: string
  isOpen: boolean
  onClose: () => void
  value: string
  onType: (text: string) => void
  /** What fits the text, best first: the palette shows it as it is. */
  groups: readonly PaletteGroup[]
}

/** One field, and below it everything that fits. Enter does the highlighted one. */
export function Palette({ label, placeholder, nothing, isOpen, onClose, value, onType, groups }: PaletteProps) {
  const field = useRef<HTMLInputElement>(null)
  const run = (entry: PaletteEntry): void => {
    onClose()
    entry.run()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.veil} />
        <Dialog.Viewport className={classes(styles.viewport, styles.atTop)}>
          <Dialog.Popup className={classes(styles.dialog, styles.palette)} initialFocus={field}>
            <Dialog.Title render={<div />}>
              <Hidden>{label}</Hidden>
            </Dialog.Title>
            <Autocomplete.Root
              inline
              open
              autoHighlight="always"
              keepHighlight
              mode="none"
              items={groups}
              value={value}
              onValueChange={(text, { reason }) => {
                // Choosing an entry would write its name into the field.
                if (reason !== 'item-press') onType(text)
              }}
              itemToStringValue={(entry: PaletteEntry) => entry.label}
            >
              <Autocomplete.Input ref={field} className={styles.search} placeholder={placeholder} aria-label={label} />
              <Autocomplete.Empty className={styles.nothing}>{nothing}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(group: PaletteGroup) => (
                  <Autocomplete.Group key={group.title} items={group.items}>
                    <Autocomplete.GroupLabel className={styles.groupTitle}>{group.title}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(entry: PaletteEntry) => (
                        <Autocomplete.Item
                          key={entry.id}
                          value={entry}
                          className={styles.item}
                          onClick={() => run(entry)}
                        >
                          {entry.icon !== undefined && <Icon name={entry.icon} />}
                          <span className={styles.text}>
                            <Foreign text={entry.label} />
                            {entry.hint !== undefined && (
                              <span className={styles.hint}>
                                <Foreign text={entry.hint} />
                              </span>
                            )}
                          </span>
                          {entry.keys !== undefined && <Key>{entry.keys}</Key>}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
