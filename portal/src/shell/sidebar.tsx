import { usePath } from '../kit/address.ts'
import { Icon } from '../kit/icons.tsx'
import { shortId } from '../kit/id.tsx'
import { Link } from '../kit/link.tsx'
import { Menu, type MenuGroup } from '../kit/menu.tsx'
import { Foreign, Hidden } from '../kit/text.tsx'
import { words } from '../words/words.ts'
import styles from './frame.module.css'
import { useNavigation, usePageExists, useProjectOrLast } from './pages.ts'
import { useSession } from './session.ts'
import { to } from './to.ts'

/** The project menu and the main navigation. */
export function Sidebar({ onLeave }: { onLeave?: () => void }) {
  const path = usePath()
  const groups = useNavigation()
  return (
    <>
      <ProjectMenu />
      <nav className={styles.nav} aria-label={words.shell.navigation}>
        {groups.map(({ title, links }) => (
          <div key={title ?? ''}>
            {title !== undefined && <p className={styles.groupTitle}>{title}</p>}
            <ul aria-label={title}>
              {links.map((link) => (
                <li key={link.to}>
                  <Link
                    to={link.to}
                    className={styles.entry}
                    aria-current={isWithin(path, link.to) ? 'page' : undefined}
                    onClick={onLeave}
                  >
                    <Icon name={link.icon} />
                    {link.label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  )
}

function ProjectMenu() {
  const session = useSession()
  const project = useProjectOrLast()
  const exists = usePageExists()
  const path = usePath()
  const choices: MenuGroup = {
    title: words.shell.project.choose,
    entries: session.projects.map(({ id, name }) => ({
      label: name,
      hint: shortId(id),
      to: sameIn(path, id),
      isChosen: id === project?.id,
    })),
  }
  const all: MenuGroup = { entries: [{ label: words.shell.project.all, icon: 'settings', to: to.projects() }] }
  if (project === undefined) return null
  return (
    <Menu
      align="start"
      groups={exists('/settings/projects') ? [choices, all] : [choices]}
      button={
        <button type="button" className={styles.project}>
          <span className={styles.stamp} aria-hidden="true">
            {[...project.name][0]?.toUpperCase()}
          </span>
          <span className={styles.projectName}>
            <Hidden>{words.shell.project.label}</Hidden>
            <Foreign text={project.name} />
            <span className={styles.projectId}>{shortId(project.id)}</span>
          </span>
          <Icon name="upDown" />
        </button>
      }
    />
  )
}

/** The same list in another project; a single thing is in one project alone, so its list is shown. */
function sameIn(path: string, project: string): string {
  const [, place, , page] = path.split('/')
  return place === 'p' && page !== undefined && page !== '' ? `/p/${project}/${page}` : to.overview(project)
}

const isWithin = (path: string, page: string): boolean => path === page || path.startsWith(`${page}/`)
