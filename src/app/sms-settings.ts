import { Type, type Static } from 'typebox'
import { saying } from '../shapes/shapes.ts'
import { bodyCheck } from '../shapes/validation.ts'

const shared = {
  maxPartsPerSecond: Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }),
  window: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  repliesToStop: Type.Optional(Type.Boolean()),
}
const text = Type.String({ minLength: 1, maxLength: 500 })

export const SmppSettings = Type.Object(
  {
    kind: Type.Literal('smpp'),
    host: text,
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    tls: Type.Optional(Type.Boolean()),
    systemId: text,
    password: text,
    systemType: Type.Optional(Type.String({ maxLength: 12 })),
    idForm: Type.Optional(Type.Enum(['same', 'hex_then_dec', 'dec_then_hex'])),
    concatenation: Type.Optional(Type.Enum(['udh', 'sar', 'payload'])),
    concatRef: Type.Optional(Type.Unsafe<8 | 16>({ type: 'integer', enum: [8, 16] })),
    defaultAlphabet: Type.Optional(Type.Enum(['gsm7', 'latin1'])),
    receiptsFor: Type.Optional(Type.Enum(['part', 'message'])),
    ...shared,
  },
  { additionalProperties: false },
)
export const HttpSettings = Type.Object(
  {
    kind: Type.Literal('http'),
    baseUrl: Type.String({
      pattern: '^https?://\\S+$',
      maxLength: 500,
      ...saying('must be a URL, like https://api.example.com'),
    }),
    accountSid: text,
    authToken: text,
    messagingServiceSid: Type.Optional(text),
    callbacks: Type.Optional(Type.Boolean()),
    ...shared,
  },
  { additionalProperties: false },
)
const Settings = Type.Record(
  Type.String({ pattern: '^(?!simulator$)[a-z0-9][a-z0-9_-]{0,39}$' }),
  Type.Union([SmppSettings, HttpSettings]),
  {
    additionalProperties: false,
    ...saying('is no name for a connection: take up to 40 of a-z, 0-9, _ and -, and not simulator'),
  },
)
export type SmsSettings = Static<typeof Settings>

export const checkSmsSettings = bodyCheck(Settings)
