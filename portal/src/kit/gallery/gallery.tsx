import { useSearch } from '../address.ts'
import { Card } from '../card.tsx'
import { PageBody, PageHead } from '../page.tsx'
import { Tabs } from '../tabs.tsx'
import { Basics } from './basics.tsx'
import { Fields } from './fields.tsx'
import { Floating } from './floating.tsx'
import { Lists } from './lists.tsx'
import { galleryParts, gallerySearch } from './search.ts'
import { Plots } from './plots.tsx'
import { States } from './states.tsx'

const parts = { basics: Basics, fields: Fields, lists: Lists, states: States, plots: Plots, floating: Floating }

/** All components in all their states, for looking at them and for the tests that walk through them. */
export function Page() {
  const [{ tab = 'basics' }] = useSearch(gallerySearch)
  const Part = parts[tab]
  return (
    <PageBody>
      <PageHead
        title="Gallery"
        path={[{ label: 'Overview', to: '/' }]}
        note="Every component, in every state"
        actions={[
          { label: 'Plain', run: () => undefined },
          { label: 'Main', tone: 'main', keys: 'n', run: () => undefined },
          { label: 'In the menu', place: 'menu', run: () => undefined },
        ]}
      />
      <Card isFlush>
        <Tabs label="Parts" tabs={galleryParts.map((name) => ({ name, label: name }))} selected={tab}>
          <Part />
        </Tabs>
      </Card>
    </PageBody>
  )
}
