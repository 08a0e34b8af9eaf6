import { pageRequest } from '../../../http/pagination.ts'
import { route } from '../../../http/route.ts'
import { smsRoute } from '../projects/routes.ts'
import {
  EntryPage,
  EntryView,
  ListEntries,
  ListOfWallet,
  PeriodPage,
  PeriodView,
  ReadWallet,
  TopUpPage,
  TopUpView,
  WalletView,
} from './schema.ts'
import type { Wallets } from './service.ts'

const scope = 'sms:billing:read'

const balance = (wallets: Wallets, id: string, path: '/sms/wallet' | '/sms/wallet/balance' | '/sms/wallet/state') =>
  route({
    ...smsRoute,
    id,
    method: 'GET',
    path,
    scope,
    summary: 'Read what is in the wallet.',
    query: ReadWallet,
    reply: { 200: WalletView },
    handle: ({ project, query }) => wallets.balance(project, query.mode),
  })

export const smsWalletRoutes = (wallets: Wallets) => [
  balance(wallets, 'getSmsWallet', '/sms/wallet'),
  balance(wallets, 'getSmsWalletBalance', '/sms/wallet/balance'),
  balance(wallets, 'getSmsWalletState', '/sms/wallet/state'),
  route({
    ...smsRoute,
    id: 'listSmsLedger',
    method: 'GET',
    path: '/sms/wallet/ledger',
    scope,
    summary: 'List the movements of money, newest first.',
    query: ListEntries,
    reply: { 200: EntryPage },
    handle: ({ project, query }) => wallets.ledger(project, query, pageRequest(query)),
  }),
  route({
    ...smsRoute,
    id: 'getSmsLedgerEntry',
    method: 'GET',
    path: '/sms/wallet/ledger/:id',
    scope,
    summary: 'Read one movement.',
    params: { id: 'sml' },
    reply: { 200: EntryView },
    handle: ({ project, params }) => wallets.entry(project, params.id),
  }),
  route({
    ...smsRoute,
    id: 'listSmsPeriods',
    method: 'GET',
    path: '/sms/wallet/periods',
    scope,
    summary: 'List the months of the wallet.',
    query: ListOfWallet,
    reply: { 200: PeriodPage },
    handle: ({ project, query }) => wallets.periods(project, query.mode, pageRequest(query)),
  }),
  route({
    ...smsRoute,
    id: 'getSmsPeriod',
    method: 'GET',
    path: '/sms/wallet/periods/:id',
    scope,
    summary: 'Read one month.',
    params: { id: 'text' },
    query: ReadWallet,
    reply: { 200: PeriodView },
    handle: ({ project, params, query }) => wallets.period(project, query.mode, params.id),
  }),
  route({
    ...smsRoute,
    id: 'listSmsTopUps',
    method: 'GET',
    path: '/sms/wallet/top-ups',
    scope,
    summary: 'List what was paid in.',
    query: ListOfWallet,
    reply: { 200: TopUpPage },
    handle: ({ project, query }) => wallets.topUps(project, query.mode, pageRequest(query)),
  }),
  route({
    ...smsRoute,
    id: 'getSmsTopUp',
    method: 'GET',
    path: '/sms/wallet/top-ups/:id',
    scope,
    summary: 'Read one top-up.',
    params: { id: 'smtu' },
    reply: { 200: TopUpView },
    handle: ({ project, params }) => wallets.topUp(project, params.id),
  }),
]
