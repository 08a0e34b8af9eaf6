import { Type, type Static } from 'typebox'
import {
  EmailAddress,
  EmailInput,
  IdInput,
  IdOf,
  named,
  Nullable,
  Timestamp,
  TimestampInput,
} from '../../shapes/shapes.ts'
import { NullableReason } from './schema.ts'

export const Simulate = named(
  'SimulateAutomation',
  Type.Object(
    {
      contactId: Type.Optional(IdInput('con')),
      email: Type.Optional(EmailInput),
      at: Type.Optional(TimestampInput),
    },
    {
      additionalProperties: false,
      examples: [{ email: 'ada@example.com' }],
      description: 'A contact, by id or address, and when it would start; now if omitted.',
    },
  ),
)
export type Simulate = Static<typeof Simulate>

const MomentView = named(
  'SimulationStep',
  Type.Object({
    stepId: Type.String(),
    type: Type.Enum(['email', 'delay', 'condition', 'tag', 'exit']),
    at: Timestamp,
    result: Type.String({ description: 'As in a run.' }),
    until: Nullable(Timestamp),
    detail: Nullable(Type.String()),
    subject: Nullable(Type.String({ description: 'Of an email, filled in for this contact.' })),
  }),
)

export const SimulationView = named(
  'Simulation',
  Type.Object({
    automationId: IdOf('aut'),
    version: Type.Integer(),
    contactId: IdOf('con'),
    email: EmailAddress,
    status: Type.Enum(['completed', 'stopped', 'failed']),
    stopReason: NullableReason,
    startedAt: Timestamp,
    finishedAt: Timestamp,
    timeline: Type.Array(MomentView),
  }),
)
export type SimulationView = Static<typeof SimulationView>
