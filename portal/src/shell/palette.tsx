import { useState } from 'react'
import { useActionsHere } from '../kit/actions.ts'
import { Palette as Box, type PaletteEntry, type PaletteGroup } from '../kit/dialog.tsx'
import { useGo } from '../kit/link.tsx'
import { words } from '../words/words.ts'
import { isId } from './ids.ts'
import { useNavigation, usePageExists } from './pages.ts'
import { schemes, setScheme } from './scheme.ts'
import { useMaybeProject, useSession } from './session.ts'
import { to } from './to.ts'

interface PaletteProps {
  isOpen: boolean
  onClose: () => void
  onKeys: () => void
}

/** Finds pages, what can be done here, projects, and the thing that an id names. */
export function Palette({ isOpen, onClose, onKeys }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const groups = useEverything(onKeys)
  const close = (): void => {
    setTyped('')
    onClose()
  }
  return (
    <Box
      label={words.shell.search}
      placeholder={words.shell.palette.placeholder}
      nothing={words.shell.palette.nothing}
      isOpen={isOpen}
      onClose={close}
      value={typed}
      onType={setTyped}
      groups={[...useThings(typed.trim()), ...matching(groups, typed)]}
    />
  )
}

/** The exact hit comes first. */
function useThings(typed: string): readonly PaletteGroup[] {
  const go = useGo()
  if (!isId(typed)) return []
  const open: PaletteEntry = {
    id: 'thing',
    label: words.shell.palette.open(typed),
    icon: 'next',
    run: () => go(`/${typed}`),
  }
  return [{ title: words.shell.palette.things, items: [open] }]
}

function useEverything(onKeys: () => void): readonly PaletteGroup[] {
  const go = useGo()
  const actions = useActionsHere()
  const pages = useNavigation().flatMap(({ links }) => links)
  const exists = usePageExists()
  const session = useSession()
  const project = useMaybeProject()
  const settings = [
    { label: words.shell.pages.projects, address: to.projects(), icon: 'settings' as const },
    { label: words.shell.pages.people, address: to.people(), icon: 'people' as const },
    { label: words.shell.pages.me, address: to.me(), icon: 'person' as const },
  ].filter(({ address }) => exists(address))
  return [
    {
      title: words.shell.palette.here,
      items: actions
        .filter(({ reason, isBusy }) => reason === undefined && isBusy !== true)
        .map(({ label, to: address, run, icon, keys }) => ({
          id: `here ${label}`,
          label,
          icon,
          keys,
          run: () => (address === undefined ? void run?.() : go(address)),
        })),
    },
    {
      title: words.shell.palette.pages,
      items: [
        ...pages.map(({ label, to: address, icon, key }) => ({
          id: `page ${address}`,
          label,
          icon,
          keys: key === undefined ? undefined : words.shell.keys.sequence('g', key),
          run: () => go(address),
        })),
        ...settings.map(({ label, address, icon }) => ({ id: `page ${address}`, label, icon, run: () => go(address) })),
      ],
    },
    {
      title: words.shell.palette.projects,
      items: session.projects
        .filter(({ id }) => id !== project?.id)
        .map(({ id, name }) => ({
          id,
          label: words.shell.palette.switchTo(name),
          icon: 'next' as const,
          run: () => go(to.overview(id)),
        })),
    },
    {
      title: words.shell.palette.more,
      items: [
        ...schemes.map((scheme) => ({
          id: `scheme ${scheme}`,
          label: words.shell.palette.colours(words.shell.colours[scheme]),
          icon: scheme === 'dark' ? ('moon' as const) : scheme === 'light' ? ('sun' as const) : ('screen' as const),
          run: () => setScheme(scheme),
        })),
        { id: 'keys', label: words.shell.palette.keys, icon: 'info' as const, keys: '?', run: onKeys },
      ],
    },
  ]
}

/** All words that were typed must occur; entries that begin with them come first. */
function matching(groups: readonly PaletteGroup[], typed: string): readonly PaletteGroup[] {
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = ({ label }: PaletteEntry): number => (label.toLowerCase().startsWith(parts[0] ?? '') ? 0 : 1)
  return groups
    .map(({ title, items }) => ({
      title,
      items: items
        .filter(({ label }) => parts.every((part) => label.toLowerCase().includes(part)))
        .toSorted((one, other) => rank(one) - rank(other)),
    }))
    .filter(({ items }) => items.length > 0)
}
