import { useState } from 'react'
import { Badge, Status } from '../badge.tsx'
import { Button, IconButton, LinkButton } from '../button.tsx'
import { Card } from '../card.tsx'
import { Code, Json } from '../code.tsx'
import { Compared } from '../compared.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Facts } from '../facts.tsx'
import { Icon, iconNames } from '../icons.tsx'
import { Id } from '../id.tsx'
import { ExternalLink, Link } from '../link.tsx'
import { Notice } from '../notice.tsx'
import { NumberedList } from '../numbered-list.tsx'
import { Progress } from '../skeleton.tsx'
import { Segments } from '../tabs.tsx'
import { Columns, Foreign, Key, Mono, Quiet, Row, Stack, Strong } from '../text.tsx'
import { Countdown, Time } from '../time.tsx'
import { Spoken } from '../spoken.tsx'
import { Steps, Timeline } from '../timeline.tsx'
import { toast } from '../toast.tsx'

const tones = ['ok', 'info', 'warn', 'bad', 'plan', 'none'] as const
const states = [
  'delivered',
  'queued',
  'deferred',
  'bounced',
  'filteredspam',
  'scheduled',
  'suppressed',
  'cancelled',
  'brand-new',
]
const later = new Date(Date.now() + 245_000).toISOString()
const earlier = new Date(Date.now() - 245_000).toISOString()

export function Basics() {
  const [width, setWidth] = useState<'desktop' | 'phone'>('desktop')
  return (
    <Stack>
      <Card title="Differences and steps">
        <Stack>
          <Compared text="v=spf1 include:elsewhere.example ~all" wanted="v=spf1 include:mail.example ~all" />
          <NumberedList label="Steps" items={['Open the panel.', 'Create the record.']} />
        </Stack>
      </Card>
      <Card title="Buttons">
        <Row>
          <Button>Plain</Button>
          <Button tone="main">Main</Button>
          <Button tone="bad" icon="bin">
            Delete
          </Button>
          <Button tone="quiet">Quiet</Button>
          <Button icon="refresh" keys="r">
            With an icon and a key
          </Button>
          <Button isBusy>Busy now</Button>
          <Button tone="main" isBusy>
            Busy now
          </Button>
          <Button reason="The project is paused.">Not now</Button>
          <Button tone="main" reason="The project is paused.">
            Not now
          </Button>
          <Button isSmall>Small</Button>
          <IconButton label="Refresh" icon="refresh" />
          <IconButton label="More" icon="more" tone="plain" />
          <LinkButton to="/gallery?tab=fields">A link</LinkButton>
          <CopyButton text="copied" label="Copy value" />
          <Button onClick={() => toast({ text: 'The endpoint is removed.', undo: () => undefined })}>Toast</Button>
        </Row>
        <Row>
          <Segments
            label="Width"
            options={[
              { value: 'desktop', label: 'Desktop' },
              { value: 'phone', label: 'Phone' },
            ]}
            value={width}
            onChange={setWidth}
          />
          <Link to="/">A link to a page</Link>
          <ExternalLink href="https://example.org">A link to elsewhere</ExternalLink>
        </Row>
      </Card>
      <Card title="Badges and states">
        <Row>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Badge isPlain>3</Badge>
        </Row>
        <Row>
          {states.map((state) => (
            <Status key={state} state={state} />
          ))}
        </Row>
      </Card>
      {tones.map((tone) => (
        <Notice key={tone} tone={tone} title="Mail to Microsoft is slow." actions={<Button>See the queue</Button>}>
          291 messages wait since 09:41. We went from 5 connections to 1 and try again in 4 min.
        </Notice>
      ))}
      <Columns>
        <Stack>
          <Card title="Text">
            <p>
              Plain, <Strong>strong</Strong>, <Quiet>quiet</Quiet>, <Quiet isSmall>small</Quiet>, <Mono>mono</Mono>,{' '}
              <Key>⌘K</Key>
            </p>
            <p>
              <Foreign text={'Not what it seems: \u202Egpj.exe and a\u200Bb'} />
            </p>
            <p>
              <Time at={earlier} /> · <Time at={earlier} form="clock" /> · <Time at={earlier} form="short" /> ·{' '}
              <Countdown to={later} /> · <Time at={null} />
            </p>
            <Id id="em_01k9t3v8qf0e5r7w2m4x6z8abc" />
          </Card>
          <Card title="Code">
            <Spoken
              label="What was said"
              lines={[
                { at: earlier, from: 'them', text: '220 mx.example.org ESMTP' },
                { at: earlier, from: 'us', text: 'RCPT TO:<ann@example.org>' },
                { at: earlier, from: 'them', text: '451 4.7.500 Server busy. Please try again later' },
              ]}
            />
            <Code text={'GET /emails\nAuthorization: Bearer …'} label="A call" />
            <Json value={{ type: 'email.delivered', data: { to: 'ann@example.org' } }} label="Payload" />
          </Card>
          <Card title="Progress">
            <Progress label="Sending again" value={37} max={100} note="37 of 100 done" />
          </Card>
        </Stack>
        <Stack>
          <Card title="What happened" tools={<Button isSmall>Refresh</Button>}>
            <Timeline
              label="What happened"
              events={[
                {
                  id: '1',
                  tone: 'warn',
                  title: 'Deferred',
                  when: '10:42:12 · attempt 3',
                  body: <p>Microsoft is busy with mail from our address. We try again by ourselves.</p>,
                },
                { id: '2', tone: 'bad', title: 'Bounced', when: '10:12:03' },
                { id: '3', tone: 'info', title: 'Accepted', when: '09:57:00 · key “Web shop”' },
              ]}
            />
          </Card>
          <Card title="Facts" foot={<Quiet isSmall>As of now</Quiet>}>
            <Facts
              facts={[
                { name: 'From', value: 'Shop <hello@shop.example>' },
                { name: 'Size', value: '14 KB' },
                { name: 'Id', value: <Id id="em_01k9t3v8qf0e5r7w2m4x6z8abc" /> },
                false,
              ]}
            />
          </Card>
          <Card title="Steps">
            <Steps
              label="Steps"
              steps={[
                { name: 'a', title: 'Send a test email', isDone: true },
                {
                  name: 'b',
                  title: 'Make an API key',
                  hint: 'Your program sends with it.',
                  isDone: false,
                  action: <Button>New key</Button>,
                },
              ]}
            />
          </Card>
        </Stack>
      </Columns>
      <Card title="Icons">
        <Row>
          {iconNames.map((name) => (
            <span key={name} data-tip={name}>
              <Icon name={name} size={20} />
            </span>
          ))}
        </Row>
      </Card>
    </Stack>
  )
}
