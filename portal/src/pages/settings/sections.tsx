import { Sections } from '../../kit/sections.tsx'
import { useMaySee, usePageExists } from '../../shell/pages.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'

/** The pages below "Settings", as far as this person may see them. */
export function SettingsSections() {
  const maySee = useMaySee()
  const exists = usePageExists()
  const links = [
    { label: words.shell.pages.workspace, to: to.settings(), access: 'anybody' },
    { label: words.shell.pages.projects, to: to.projects(), access: 'projects:read' },
    { label: words.shell.pages.people, to: to.people(), access: 'administrators' },
    { label: words.shell.pages.installation, to: to.installation(), access: 'administrators' },
    { label: words.shell.pages.log, to: to.log(), access: 'audit:read' },
  ] as const
  return (
    <Sections
      label={words.shell.pages.settings}
      links={links.filter(({ to: address, access }) => exists(address) && maySee(access))}
    />
  )
}
