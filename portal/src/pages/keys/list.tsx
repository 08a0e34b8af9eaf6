import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { shortId } from '../../kit/id.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { List } from '../../kit/list.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign, Mono, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { asCurl } from '../../shell/requests.ts'
import { mayAdminister, useProject, useSession, type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { CreateKey } from './create.tsx'
import { isExpired, isUnused, keysOf, useNames, type Key, type NewKey } from './data.ts'
import { MadeKey } from './made.tsx'
import { RevokeKey } from './revoke.tsx'
import { scopesInWords } from './scopes.ts'
import { keysSearch } from './search.ts'

const said = words.keys

/** The keys of the project; those of the whole workspace below, for those who may. */
export function Page() {
  const project = useProject()
  const session = useSession()
  const mayChange = project.can('api-keys:write')
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [revoked, setRevoked] = useState<Key>()
  const nameOf = useMakerNames(project, session.person.id)
  const columns = columnsFor(nameOf, mayChange ? setRevoked : undefined)
  const create = (): void => setCreating(true)
  const row = { rowId: ({ id }: Key) => id, rowName: ({ name }: Key) => name, search: keysSearch, columns }
  return (
    <>
      <ListPage
        {...row}
        title={said.title}
        rows={() => keysOf(project.id)}
        find={{ in: ({ name }) => name, placeholder: said.find }}
        actions={mayChange ? [{ label: said.create.action, tone: 'main', icon: 'plus', keys: 'n', run: create }] : []}
        empty={{
          icon: 'key',
          title: said.empty.title,
          sentence: said.empty.sentence,
          ...(mayChange && {
            action: (
              <Button tone="main" icon="plus" onClick={create}>
                {said.empty.action}
              </Button>
            ),
          }),
          curl: curlFor(project, session.installation.publicUrl),
          docs: '/docs',
        }}
        below={
          mayAdminister(session) && (
            <Card title={said.workspace.title} note={<Quiet isSmall>{said.workspace.sentence}</Quiet>} isFlush>
              <List
                {...row}
                label={said.workspace.title}
                rows={() => keysOf(null)}
                empty={{ icon: 'key', title: said.empty.title, sentence: said.workspace.sentence }}
              />
            </Card>
          )
        }
      />
      {mayChange && (
        <CreateKey
          key={String(isCreating)}
          project={project}
          isOpen={isCreating}
          onClose={() => setCreating(false)}
          onMade={setMade}
        />
      )}
      <MadeKey made={made} onClose={() => setMade(undefined)} />
      <RevokeKey revoked={revoked} onClose={() => setRevoked(undefined)} />
    </>
  )
}

function columnsFor(
  nameOf: (maker: string | null) => string,
  onRevoke: ((key: Key) => void) | undefined,
): readonly Column<Key>[] {
  return [
    { name: 'name', title: said.columns.name, cell: (key) => <NameOf apiKey={key} /> },
    { name: 'end', title: said.columns.end, isNarrow: true, cell: ({ last4 }) => <Mono>…{last4}</Mono> },
    { name: 'scopes', title: said.columns.scopes, cell: (key) => scopesInWords(key) },
    { name: 'by', title: said.columns.by, cell: ({ createdBy }) => <Foreign text={nameOf(createdBy)} /> },
    {
      name: 'used',
      title: said.columns.used,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? said.never : <Time at={lastUsedAt} />),
    },
    {
      name: 'expires',
      title: said.columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? said.never : <Time at={expiresAt} />),
    },
    ...(onRevoke === undefined
      ? []
      : [
          {
            name: 'actions',
            title: said.columns.actions,
            isActions: true,
            cell: (key: Key) => (
              <Button isSmall tone="bad" aria-label={`${said.revoke.action} ${key.name}`} onClick={() => onRevoke(key)}>
                {said.revoke.action}
              </Button>
            ),
          },
        ]),
  ]
}

function NameOf({ apiKey }: { apiKey: Key }) {
  const now = Date.now()
  return (
    <Stack isTight>
      <Foreign text={apiKey.name} />
      {isExpired(apiKey, now) ? (
        <Badge tone="bad">{said.expired}</Badge>
      ) : (
        isUnused(apiKey, now) && (
          <span data-tip={said.unusedHint}>
            <Badge tone="warn">{said.unused}</Badge>
          </span>
        )
      )}
    </Stack>
  )
}

/** How those who made keys are called, as far as it is known here. */
function useMakerNames(project: Project, me: string): (maker: string | null) => string {
  const { keys, people } = useNames(project)
  return (maker) => {
    if (maker === null) return said.operator
    if (maker === me) return said.you
    const key = keys.get(maker)
    return key === undefined ? (people.get(maker) ?? shortId(maker)) : said.key(key)
  }
}

const curlFor = ({ id }: Project, origin: string): string =>
  asCurl(
    {
      method: 'POST',
      path: '/api/v1/api-keys',
      project: undefined,
      body: JSON.stringify({ name: 'Web shop', scopes: ['email:send'], contentAccess: 'none', projectId: id }),
    },
    origin,
  )
