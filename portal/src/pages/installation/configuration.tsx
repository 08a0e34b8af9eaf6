import { useState } from 'react'
import { Card } from '../../kit/card.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/table.tsx'
import { Segments } from '../../kit/tabs.tsx'
import { Foreign, Mono, Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Installation } from './data.ts'

type Setting = Installation['configuration'][number]

const said = words.installation.configuration

/** The settings with what the operator has set. Only the operator changes them, where the server is started. */
export function Configuration({ settings }: { settings: readonly Setting[] }) {
  const [shown, show] = useState('set')
  const areSet = settings.filter(({ set }) => set)
  return (
    <Card
      title={said.title}
      isFlush
      foot={<Quiet isSmall>{said.note}</Quiet>}
      tools={
        <Segments
          label={said.show}
          options={[
            { value: 'set', label: said.areSet(formatNumber(areSet.length)) },
            { value: 'all', label: said.all(formatNumber(settings.length)) },
          ]}
          value={shown}
          onChange={show}
        />
      }
    >
      <Table
        label={said.title}
        rows={shown === 'set' ? areSet : settings}
        rowId={({ variable }) => variable}
        columns={[
          { name: 'variable', title: said.variable, cell: ({ variable }) => <Mono>{variable}</Mono> },
          { name: 'value', title: said.value, cell: (setting) => <Value setting={setting} /> },
          {
            name: 'default',
            title: said.default,
            cell: (setting) => (setting.default === null ? <Quiet>{said.none}</Quiet> : <Mono>{setting.default}</Mono>),
          },
          { name: 'meaning', title: said.meaning, cell: (setting) => <Meaning setting={setting} /> },
        ]}
      />
    </Card>
  )
}

function Value({ setting: { set, value } }: { setting: Setting }) {
  if (!set) return <Quiet>{said.notSet}</Quiet>
  if (value === null) return said.set
  return (
    <Mono>
      <Foreign text={value} />
    </Mono>
  )
}

const Meaning = ({ setting: { meaning, form } }: { setting: Setting }) => (
  <Stack isTight>
    <span>{meaning.replaceAll('`', '')}</span>
    <Quiet isSmall>{form.replaceAll('`', '')}</Quiet>
  </Stack>
)
