import { Type, type Static } from 'typebox'
import { listQuery, Name, named, Nullable } from '../../shapes/shapes.ts'
import { StepInput, Trigger } from './schema.ts'
import { MAX_STEPS } from './states.ts'

const Mailbox = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'A mailbox: `ann@example.com` or `Ann <ann@example.com>`.',
})

const Sender = named(
  'AutomationSenderInput',
  Type.Object(
    { from: Mailbox, replyTo: Type.Optional(Nullable(Mailbox)) },
    { additionalProperties: false, description: 'In whose name the mail is sent. Needed where there are email steps.' },
  ),
)

const Tracking = named(
  'AutomationTrackingInput',
  Type.Object(
    { opens: Type.Optional(Nullable(Type.Boolean())), clicks: Type.Optional(Nullable(Type.Boolean())) },
    { additionalProperties: false, description: "What is null or omitted is the sending domain's setting." },
  ),
)

const Steps = Type.Array(StepInput, {
  minItems: 1,
  maxItems: MAX_STEPS,
  description: `At most ${MAX_STEPS}, those in branches included, and branches at most five deep.`,
})

const Reentry = Type.Enum(['never', 'always'], {
  description:
    'Whether a contact who has been through it can start again; at most ten times in an hour. `never` if omitted.',
})

const Enabled = Type.Boolean({
  description: 'Needs a verified sender. While it is false no contact starts, and those inside wait.',
})

const changeable = {
  name: Name,
  trigger: Trigger,
  sender: Type.Optional(Sender),
  tracking: Type.Optional(Tracking),
  steps: Steps,
  reentry: Type.Optional(Reentry),
  enabled: Type.Optional(Enabled),
}

export const CreateAutomation = named(
  'CreateAutomation',
  Type.Object(changeable, {
    additionalProperties: false,
    examples: [
      {
        name: 'Welcome',
        trigger: { type: 'audience', audienceId: 'aud_01kf0q9h2rfx8b6t3m5vz7d4ce' },
        sender: { from: 'Acme <sandbox@sandbox.posthouse.test>' },
        steps: [
          { type: 'email', subject: 'Welcome, {{ contact.firstName }}', html: '<p>Good to have you.</p>' },
          { type: 'delay', duration: 'P3D' },
          { type: 'email', subject: 'How is it going?', html: '<p>Just answer this mail.</p>' },
        ],
      },
    ],
  }),
)
export type CreateAutomation = Omit<Static<typeof CreateAutomation>, 'steps'> & { steps: StepInput[] }

export const UpdateAutomation = named(
  'UpdateAutomation',
  Type.Object(
    {
      ...changeable,
      name: Type.Optional(Name),
      trigger: Type.Optional(Trigger),
      steps: Type.Optional(Steps),
    },
    {
      additionalProperties: false,
      examples: [{ name: 'Welcome', reentry: 'always' }],
      description:
        'Another trigger, sender, tracking or list of steps makes a new version; people who are inside finish theirs.',
    },
  ),
)
export type UpdateAutomation = Partial<CreateAutomation>

export const ListAutomations = Type.Object(
  { ...listQuery, enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type ListAutomations = Static<typeof ListAutomations>
