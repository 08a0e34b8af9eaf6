import { useState } from 'react'
import { useActionsHere } from '../kit/actions.ts'
import { Palette as Box, type PaletteEntry, type PaletteGroup } from '../kit/dialog.tsx'
import { useGo } from '../kit/link.tsx'
import { words } from '../words/words.ts'
import { isAddress, patternOf } from './ids.ts'
import { useNavigation, usePageExists, useProjectOrLast } from './pages.ts'
import { schemes, setScheme } from './scheme.ts'
import { useMaybeProject, useSession } from './session.ts'
import { thingIcons, useThingsFor, type Thing } from './things.ts'
import { to } from './to.ts'

interface PaletteProps {
  isOpen: boolean
  onClose: () => void
  onKeys: () => void
}

/** Finds pages, what can be done here, projects, and things: by their id, by an address or by their name. */
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

/** What was found. An id and an address are known by their form: they come first, and need no answer to be opened. */
function useThings(typed: string): readonly PaletteGroup[] {
  const go = useGo()
  const { projects } = useSession()
  const project = useProjectOrLast()
  const found = useThingsFor(typed)
  const exact = useExact(typed, found)
  const others = found
    .filter(({ id, type, projectId }) => id !== typed && !(type === 'address' && projectId === project?.id))
    .map((thing): PaletteEntry => ({
      id: `${thing.type} ${thing.projectId} ${thing.id}`,
      label: thing.title === '' ? thing.id : thing.title,
      hint: hintOf(thing, project?.id, projects.find(({ id }) => id === thing.projectId)?.name),
      icon: thingIcons[thing.type],
      run: () => go(thing.link ?? ''),
    }))
  const items = exact === undefined ? others : [exact, ...others]
  return items.length === 0 ? [] : [{ title: words.shell.palette.things, items }]
}

function useExact(typed: string, found: readonly Thing[]): PaletteEntry | undefined {
  const go = useGo()
  const exists = usePageExists()
  const project = useProjectOrLast()
  const pattern = patternOf(typed)
  if (pattern !== undefined && exists(pattern)) {
    const thing = found.find(({ id }) => id === typed)
    return {
      id: 'thing',
      label: words.shell.palette.open(typed),
      hint: thing?.title,
      icon: 'next',
      run: () => go(`/${typed}`),
    }
  }
  if (!isAddress(typed) || project?.sees('stats:read') !== true) return undefined
  return {
    id: 'thing',
    label: words.shell.palette.about(typed),
    icon: 'person',
    run: () => go(to.address(project.id, typed.toLowerCase())),
  }
}

const hintOf = ({ type, projectId }: Thing, here: string | undefined, name: string | undefined): string =>
  projectId === here || name === undefined
    ? words.shell.palette.kinds[type]
    : words.shell.palette.inProject(words.shell.palette.kinds[type], name)

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
