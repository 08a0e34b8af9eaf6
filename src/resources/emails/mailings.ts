/** Mail to contacts: one content for many, and an email of its own for each of them. */
import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, invalid, type Problem } from '../../core/errors.ts'
import {
  idSource,
  newId,
  type EmailId,
  type BroadcastId,
  type ContactId,
  type DomainId,
  type ProjectId,
  type RunId,
  type TemplateId,
} from '../../core/ids.ts'
import { addressKey, domainOf, parseAddress, type Address } from '../../mail/address.ts'
import { breaksLine } from '../../mail/headers.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import type { Domains } from '../domains/index.ts'
import type { ReadMailing } from '../../mail/compose/mailing.ts'
import { domainNotVerified } from '../projects/index.ts'
import { askedBy, type Templates } from '../templates/index.ts'
import { mailbox } from './address-book.ts'
import type { Progress } from './deliveries.ts'
import { mergedParts, type MergedContact, type MergeLinks } from './merge.ts'
import type { Sandbox } from './prepare.ts'
import type { CountAccepted } from './rows.ts'
import type { Merge } from './schema.ts'
import { insertContents, now } from './store/accept.ts'
import * as store from './store/mailings.ts'
import { cancelSomeOf, movesOf } from './store/schedule.ts'

/** A mailing as it was written; subject, html, text and preview are templates. */
export interface MailingFields {
  from: string
  replyTo?: string | readonly string[] | null | undefined
  subject?: string | null | undefined
  html?: string | null | undefined
  text?: string | null | undefined
  previewText?: string | null | undefined
  /** The id or alias of a template. Parts that are written beside it replace its own. */
  templateId?: string | null | undefined
  variables?: Record<string, unknown> | undefined
  tracking?: { opens?: boolean | undefined; clicks?: boolean | undefined } | null | undefined
}

/** A mailing that was checked: everything is there and can be filled in. */
export interface Mailing {
  from: Address
  replyTo: Address[]
  subject: string
  html: string | null
  text: string | null
  templateId: TemplateId | null
  templateVersion: number | null
  variables: Record<string, unknown>
  merge: Merge
}

/** The sender of a mailing. */
export interface MailingSender {
  /** Null for the sandbox sender. */
  domainId: DomainId | null
  tracking: { opens: boolean; clicks: boolean }
}

/** One email of a mailing. Either the broadcast or the step of the run that it is sent for. */
export interface NewMailingEmail {
  projectId: ProjectId
  contentId: string
  sender: MailingSender
  addresses: { from: Address; replyTo: readonly Address[] }
  contact: MergedContact & { id: ContactId }
  origin: { broadcastId: BroadcastId } | { runId: RunId; step: string }
}

export interface MailingsOptions {
  domains: Domains
  templates: Templates
  sandbox: Sandbox
  counted: CountAccepted
  /** The site that takes mail for a domain, where that is known without asking. */
  destinationOf(domain: string): string | undefined
}

/** The limit for all templates together; what is filled in may be a little more. */
const MAX_BYTES = 2 * 1024 * 1024

export class Mailings {
  readonly #options: MailingsOptions
  /** Ids follow the clock of the database, as `createdAt` does: so a time leads to a place among the ids. */
  readonly #ids = idSource()

  constructor(options: MailingsOptions) {
    this.#options = options
  }

  /** Checks that all this could be sent, and says everything that is wrong. `path` goes before every problem's path. */
  async read(db: Db, project: ProjectContext, fields: MailingFields, path = ''): Promise<Mailing> {
    const { templates } = this.#options
    const problems: Problem[] = []
    const address = (text: string, where: string): Address | undefined => {
      const parsed = parseAddress(text)
      if (parsed.ok) return parsed.value
      problems.push({ path: `${path}${where}`, message: parsed.problem })
      return undefined
    }
    const from = address(fields.from, '/from')
    const replyTo = [fields.replyTo ?? []].flat().flatMap((text) => address(text, '/replyTo') ?? [])
    const named = fields.templateId ?? undefined
    const template = named === undefined ? undefined : await templates.findNamed(db, project.id, named)
    const subject = fields.subject ?? template?.subject ?? ''
    const html = fields.html ?? (template?.html || null)
    const text = fields.text ?? (template?.text || null)
    if (subject === '') problems.push({ path: `${path}/subject`, message: 'is required, unless a template has one' })
    if (breaksLine(subject)) problems.push({ path: `${path}/subject`, message: 'must not contain CR, LF or NUL' })
    if (html === null && text === null) {
      problems.push({ path: `${path}/html`, message: 'is required, unless there is a text or a templateId' })
    }
    if (Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '') > MAX_BYTES) {
      problems.push({ path: `${path}/html`, message: `must not have more than ${MAX_BYTES} bytes, with the text` })
    }
    if (problems.length > 0 || from === undefined) throw invalid(problems)
    const mailing = {
      from,
      replyTo,
      subject,
      html,
      text,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      variables: fields.variables ?? {},
      merge: { declared: template?.variables ?? [], preview: fields.previewText ?? '' },
    }
    // For somebody of whom nothing is known: what is missing then is missing from the mailing itself.
    await mergedParts(templates, mailing, nobody, { unsubscribeUrl: '#', preferencesUrl: '#' }, '', askedBy(project))
    return mailing
  }

  /** Throws where the project may not send from this address. */
  async senderOf(
    { id, workspaceId }: ProjectContext,
    { from }: Pick<Mailing, 'from'>,
    tracking: MailingFields['tracking'],
  ): Promise<MailingSender> {
    const { domains, sandbox } = this.#options
    const isSandbox = from.email.toLowerCase() === sandbox.sender.toLowerCase()
    const owner = isSandbox ? undefined : (await domains.owners(workspaceId, [from.domain])).get(from.domain)
    if (!isSandbox && owner?.projectId !== id) throw domainNotVerified(from.domain)
    return {
      domainId: owner?.domainId ?? null,
      tracking: {
        opens: tracking?.opens ?? owner?.trackOpens ?? false,
        clicks: tracking?.clicks ?? owner?.trackClicks ?? false,
      },
    }
  }

  /** Those of these addresses that the project may not send from. */
  async unverified({ id, workspaceId }: ProjectContext, senders: readonly string[]): Promise<Set<string>> {
    const { domains, sandbox } = this.#options
    const others = senders.filter((sender) => sender.toLowerCase() !== sandbox.sender.toLowerCase())
    if (others.length === 0) return new Set()
    const owners = await domains.owners(workspaceId, [...new Set(others.map(domainOf))])
    return new Set(others.filter((sender) => owners.get(domainOf(sender))?.projectId !== id))
  }

  /** The sandbox mails the simulator only. */
  refusal({ domainId }: MailingSender, email: string): DomainError | undefined {
    const { simulatorDomain } = this.#options.sandbox
    if (domainId !== null || domainOf(email) === simulatorDomain) return undefined
    return new DomainError(
      'sandbox_only',
      `The sandbox sender mails ${simulatorDomain} only, not ${domainOf(email)}. Verify a domain to mail others.`,
    )
  }

  /** Stores the content once for all emails; the id is for `create`. */
  async store(tx: Tx, project: ProjectId, mailing: Mailing, id: string = newId<'em'>()): Promise<string> {
    const { subject, html, text, templateId, templateVersion, variables, merge } = mailing
    const size = Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '')
    const content = { id, projectId: project, subject, html, text, templateId, templateVersion, variables, size }
    await insertContents(tx, [{ ...content, headers: {}, merge }])
    return id
  }

  /**
   * An email for each contact. Nobody gets a second one for the same broadcast, or the same step of a run: for whom
   * there is one already, nothing happens. How many are new. To be followed, after the commit, by a ring at the door of
   * the deliveries.
   */
  async create(tx: Tx, emails: readonly NewMailingEmail[]): Promise<number> {
    if (emails.length === 0) return 0
    const { now: moment } = await now(tx)
    const created = await store.insertMailing(
      tx,
      emails.map(({ projectId, contentId, sender, addresses: { from, replyTo }, contact, origin }) => {
        const { id: contactId, email, firstName, lastName, properties } = contact
        const name = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ')
        return {
          id: this.#ids(moment.getTime()) as EmailId,
          deliveryId: newId<'em'>(),
          projectId,
          contentId,
          domainId: sender.domainId,
          sender: addressKey(from),
          addresses: {
            from: mailbox(from),
            replyTo: replyTo.map(mailbox),
            recipients: [{ name: breaksLine(name) ? '' : name, email, kind: 'to' as const }],
          },
          options: {
            metadata: {},
            tracking: sender.tracking,
            inReplyTo: null,
            contact: { firstName, lastName, properties },
          },
          recipient: email,
          domain: domainOf(email),
          destination: this.#options.destinationOf(domainOf(email)) ?? null,
          contactId,
          broadcastId: 'broadcastId' in origin ? origin.broadcastId : null,
          runId: 'runId' in origin ? origin.runId : null,
          step: 'step' in origin ? origin.step : null,
        }
      }),
    )
    await this.#options.counted(
      tx,
      created.map((row) => ({ ...row, tags: [], domain: domainOf(row.recipient) })),
    )
    return created.length
  }

  /** How many of a broadcast's emails are not finished, and how many of them do not wait for another attempt. */
  unfinishedCounts(db: Db, broadcast: BroadcastId): Promise<{ total: number; ready: number }> {
    return store.unfinishedCounts(db, broadcast)
  }

  /** Cancels emails of a broadcast that no worker has in hand, so many at most. Empty when there is none. */
  async cancelSome(tx: Tx, project: ProjectId, broadcast: BroadcastId, most: number): Promise<Progress[]> {
    return movesOf(await cancelSomeOf(tx, project, broadcast, most))
  }

  /** Fills the mailing in for one person. */
  fill(
    project: ProjectContext,
    mailing: Mailing,
    contact: MergedContact,
    links: MergeLinks,
    projectName: string,
  ): Promise<ReadMailing> {
    return mergedParts(this.#options.templates, mailing, contact, links, projectName, askedBy(project))
  }
}

const nobody: MergedContact = { email: 'somebody@example.com', firstName: null, lastName: null, properties: {} }
