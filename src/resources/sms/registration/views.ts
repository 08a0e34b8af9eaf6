import { encodeId } from '../../../core/ids.ts'
import type { Profile, ProfileView, Program, ProgramView, RecordRow, Sender, SenderView } from './schema.ts'

const statusView = (row: RecordRow) => ({
  rejectionReasons: row.rejectionReasons,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const profileView = (profile: Profile): ProfileView => ({
  ...noProfileFields,
  ...profile.fields,
  id: encodeId('smsbp', profile.id),
  registrationNumberLast2: profile.registrationLast2,
  status: profile.status as ProfileView['status'],
  ...statusView(profile),
})

export const programView = (program: Program): ProgramView => ({
  ...noProgramFields,
  ...program.fields,
  id: encodeId('smspg', program.id),
  businessProfileId: program.businessProfileId && encodeId('smsbp', program.businessProfileId),
  builtIn: program.isBuiltIn,
  status: program.status as ProgramView['status'],
  ...statusView(program),
})

export const senderView = (sender: Sender): SenderView => ({
  id: encodeId('smssn', sender.id),
  type: sender.type,
  address: sender.address,
  country: sender.country,
  twoWay: sender.twoWay,
  programId: sender.programId && encodeId('smspg', sender.programId),
  builtIn: sender.isBuiltIn,
  throughputPerSecond: sender.throughputPerSecond,
  dailyCap: sender.dailyCap,
  status: sender.status,
  ...statusView(sender),
})

/** What was never said. */
const noProfileFields = {
  legalName: null,
  displayName: null,
  entityType: null,
  registrationType: null,
  registrationCountry: null,
  address: null,
  website: null,
  vertical: null,
  contact: null,
  stockSymbol: null,
  exchange: null,
}
const noProgramFields = {
  name: '',
  channel: null,
  useCase: null,
  subUseCases: [],
  allowedCategories: [],
  description: null,
  messageFlow: null,
  samples: [],
  optInMessage: null,
  optOutMessage: null,
  helpMessage: null,
  keywords: {},
  embeddedLink: false,
  embeddedPhone: false,
  ageGated: false,
  directLending: false,
  privacyPolicyUrl: null,
  termsUrl: null,
  expectedMonthlyVolume: null,
  quietHours: null,
}
