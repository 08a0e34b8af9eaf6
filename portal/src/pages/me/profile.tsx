import { Card } from '../../kit/card.tsx'
import { Radio, Switch } from '../../kit/choice.tsx'
import { Combobox } from '../../kit/combobox.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { knownZones } from '../../kit/zones.ts'
import { schemes, setScheme, useScheme } from '../../shell/scheme.ts'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useUpdateMe } from './data.ts'

/** Stands for the zone of the browser, wherever that is. */
const OF_BROWSER = 'browser'

export function Profile() {
  const { person } = useSession()
  const update = useUpdateMe()
  const form = useForm({
    start: { name: person.name, timeZone: person.timeZone ?? OF_BROWSER },
    send: ({ name, timeZone }) =>
      update.run({ body: { name: name.trim(), timeZone: timeZone === OF_BROWSER ? null : timeZone } }),
    onDone: () => toast({ text: words.me.profile.saved }),
  })
  return (
    <Card title={words.me.profile.title}>
      <Form form={form} submit={words.me.profile.save}>
        <TextField label={words.me.profile.name} {...form.field('name')} autoComplete="name" />
        <TextField
          label={words.me.profile.email}
          name="email"
          value={person.email}
          onChange={() => undefined}
          autoComplete="off"
          isReadOnly
        />
        <Combobox
          label={words.me.profile.zone}
          hint={words.me.profile.zoneHint}
          {...form.field('timeZone')}
          onChange={(zone) => form.set({ timeZone: zone === '' ? OF_BROWSER : zone })}
          options={zoneOptions()}
        />
      </Form>
    </Card>
  )
}

const zoneOptions = () => [
  { value: OF_BROWSER, label: words.me.profile.ofBrowser(Intl.DateTimeFormat().resolvedOptions().timeZone) },
  ...knownZones().map((zone) => ({ value: zone, label: zone })),
]

/** In force at once. */
export function View() {
  const { person } = useSession()
  const scheme = useScheme()
  const update = useUpdateMe()
  return (
    <Card title={words.me.view.title}>
      <Radio
        label={words.me.view.colours}
        name="scheme"
        value={scheme}
        onChange={setScheme}
        options={schemes.map((value) => ({ value, label: words.shell.colours[value] }))}
        isInRow
      />
      <Switch
        label={words.me.view.singleKeys}
        hint={words.me.view.singleKeysHint}
        name="singleKeys"
        value={person.singleKeys}
        onChange={(singleKeys) => void update.run({ body: { singleKeys } }).catch(toastProblem)}
      />
    </Card>
  )
}
