import { useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Card } from '../card.tsx'
import { Confirm, Dialog, Palette, type PaletteGroup } from '../dialog.tsx'
import { TextField } from '../field.tsx'
import { Form, useForm } from '../form.tsx'
import { Menu, Popover } from '../menu.tsx'
import { Row } from '../text.tsx'

type Open = 'dialog' | 'firm' | 'confirm' | 'typed' | 'palette' | 'side'

const wait = () => new Promise((resolve) => setTimeout(resolve, 500))

export function Floating() {
  const [open, setOpen] = useState<Open>()
  const [typed, setTyped] = useState('')
  const form = useForm({ start: { url: '' }, send: wait, onDone: () => setOpen(undefined) })
  const close = (): void => setOpen(undefined)
  return (
    <Card title="What floats">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('firm')}>Firm dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('typed')}>Confirm by name</Button>
        <Button onClick={() => setOpen('palette')}>Palette</Button>
        <Button onClick={() => setOpen('side')}>At the side</Button>
        <Menu
          align="start"
          button={<Button>Menu</Button>}
          groups={[
            {
              title: 'Ann Archer',
              entries: [
                { label: 'My account', icon: 'person', to: '/gallery' },
                { label: 'Refresh', icon: 'refresh', keys: 'r', run: () => undefined },
              ],
            },
            {
              entries: [
                { label: 'Light', isChosen: true, run: () => undefined },
                { label: 'Dark', isChosen: false, run: () => undefined },
              ],
            },
            { entries: [{ label: 'Delete', icon: 'bin', tone: 'bad', run: () => undefined }] },
          ]}
        />
        <Popover title="Filters" button={<Button icon="filter">Popover</Button>}>
          <TextField label="From" name="from" value={typed} onChange={setTyped} />
        </Popover>
        <IconButton label="A tip" icon="info" keys="i" />
      </Row>
      <Dialog
        title="Add an endpoint"
        description="It gets what happens to your emails."
        isOpen={open === 'dialog'}
        onClose={close}
      >
        <Form form={form} submit="Add" buttons={<Button onClick={close}>Cancel</Button>}>
          <TextField label="URL" type="url" placeholder="https://" {...form.field('url')} />
        </Form>
      </Dialog>
      <Dialog
        title="Your key"
        isFirm
        isOpen={open === 'firm'}
        onClose={close}
        foot={
          <Button tone="main" onClick={close}>
            I have stored it
          </Button>
        }
      >
        <p>It is shown this once.</p>
      </Dialog>
      <Dialog title="Menu" size="side" isOpen={open === 'side'} onClose={close}>
        <p>Navigation</p>
      </Dialog>
      <Confirm
        title="Revoke the key Web shop?"
        action="Revoke"
        isOpen={open === 'confirm'}
        onClose={close}
        onConfirm={() => Promise.reject(new Error('The key is gone already.'))}
      >
        Programs that use it are refused at once.
      </Confirm>
      <Confirm
        title="Delete the audience Newsletter?"
        action="Delete"
        typed="Newsletter"
        isOpen={open === 'typed'}
        onClose={close}
        onConfirm={wait}
      >
        And its 12,408 contacts. This cannot be undone.
      </Confirm>
      <Palette
        label="Search"
        placeholder="A page, an action, or an id"
        nothing="Nothing fits."
        isOpen={open === 'palette'}
        onClose={close}
        value={typed}
        onType={setTyped}
        groups={matching(typed)}
      />
    </Card>
  )
}

const everything: readonly PaletteGroup[] = [
  { title: 'Here', items: [{ id: 'a', label: 'Copy link', icon: 'link', run: () => undefined }] },
  { title: 'Pages', items: [{ id: 'b', label: 'Emails', icon: 'mail', keys: 'g e', run: () => undefined }] },
]

const matching = (typed: string): readonly PaletteGroup[] =>
  everything
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    }))
    .filter(({ items }) => items.length > 0)
