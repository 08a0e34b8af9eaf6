import { encodeId } from '../../core/ids.ts'
import { reportAddress } from '../../core/report-address.ts'
import { recordView, wantedRecord, type WantedRecord } from '../domains/index.ts'
import type { ReceivingDomain, ReceivingRecordView } from './schema.ts'

type ReceivingRecord = WantedRecord & Pick<ReceivingRecordView, 'purpose'>

/**
 * The MX record brings the mail here. The other one says to which project: whoever controls the name writes the id of
 * that project's own entry there, so nobody else can take mail that happens to come to us.
 */
export function wantedRecords(
  { id, type, name, reportToken }: ReceivingDomain,
  smtpHostname: string,
): ReceivingRecord[] {
  if (type === 'managed') return []
  const record = wantedRecord<ReceivingRecordView['purpose']>
  return [
    record({ purpose: 'receiving-mx', type: 'MX', name, value: smtpHostname, priority: 10, required: true }),
    record({
      purpose: 'receiving-proof',
      type: 'TXT',
      name: proofHost(name),
      value: `posthouse-receiving=${encodeId('rdm', id)}`,
      required: true,
    }),
    // RFC 8460 §3: other servers tell whether they could deliver here by TLS.
    record({
      purpose: 'receiving-tls-reports',
      type: 'TXT',
      name: `_smtp._tls.${name}`,
      value: `v=TLSRPTv1; rua=mailto:${reportAddress({ kind: 'tls', token: reportToken }, smtpHostname)}`,
      required: false,
    }),
  ]
}

export const proofHost = (name: string): string => `_posthouse.${name}`

export const recordViews = (domain: ReceivingDomain, smtpHostname: string): ReceivingRecordView[] =>
  wantedRecords(domain, smtpHostname).map((wanted) => recordView(wanted, domain))
