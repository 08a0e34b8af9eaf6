import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import type { Log } from '../core/log.ts'
import { Links } from '../delivery/mail/links.ts'
import { Messages } from '../delivery/mail/message.ts'
import { Spool } from '../delivery/mail/spool.ts'
import type { DeliveryServices } from './delivery-services.ts'

/** Makes messages: for those who send them, and for those who want to see what was sent. */
export function messagesOf({ deliveries, domains, vault }: DeliveryServices, config: Config, log: Log): Messages {
  const keys = vault.mailTokenKeys
  return new Messages({
    deliveries,
    domains,
    tokenKeys: keys,
    links: new Links({ keys, publicUrl: config.publicUrl }),
    spool: new Spool(join(config.dataDir, 'spool'), log),
    hostname: config.smtpHostname,
    senderId: vault.secrets.derive('feedback-id').toString('hex').slice(0, 12),
  })
}
