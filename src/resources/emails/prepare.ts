import type { Caller, ProjectContext, Visibility } from '../../core/caller.ts'
import { DomainError, invalid, settle } from '../../core/errors.ts'
import type { DomainId, EmailId, KeyId, PersonId, TemplateId } from '../../core/ids.ts'
import type { AccountLink } from '../../core/mail-reference.ts'
import { bodySize } from '../../mail/compose/body.ts'
import type { Blobs, StagedBlob } from '../../storage/blobs.ts'
import type { Db } from '../../storage/postgres.ts'
import type { Domains, Owner } from '../domains/index.ts'
import { domainNotVerified, projectOfSender, senderNotAllowed } from '../projects/index.ts'
import { askedBy, type Templates } from '../templates/index.ts'
import type { ReadEmail } from './read-request.ts'
import { TextParts } from './text-parts.ts'

/** Our own mail is sent by nobody in particular. */
export interface OwnSender extends Visibility {
  type: 'system'
}

export interface Sandbox {
  sender: string
  simulatorDomain: string
}

/** An email with everything that is needed to accept it, or with the reason why it will not be. */
export interface PreparedEmail {
  /** The key that sends it. */
  keyId: KeyId | null
  personId: PersonId | null
  /** The email that it repeats. */
  resentFrom?: EmailId
  project: ProjectContext
  request: ReadEmail
  domainId: DomainId | null
  tracking: { opens: boolean; clicks: boolean }
  content: PreparedContent
  /** For mail of ours to somebody who is to come in by a link. */
  accountLink?: AccountLink
  /** One for each attachment, unless it is refused or only rehearsed. */
  blobs: readonly StagedBlob[]
  /** It is answered only after it is clear that the request is no repetition. */
  refusal: DomainError | undefined
}

/** Whether the bytes of attachments are going to be stored. */
export type Files = 'kept' | 'left'

interface PreparedContent {
  subject: string
  html: string | null
  text: string | null
  templateId: TemplateId | null
  templateVersion: number | null
  size: number
}

interface PreparerOptions {
  db: { reads: Db }
  domains: Domains
  templates: Templates
  blobs: Blobs
  sandbox: Sandbox
}

const MAX_MESSAGE_BYTES = 25 * 1024 * 1024
/** From here on the size of a message is known before it is composed: who delivers it composes it as late as possible. */
export const LARGE_BYTES = 200 * 1024

/** From what a client wants sent to what can be stored: whose it is, what it says, and where its files are. */
export class Preparer {
  readonly #options: PreparerOptions

  constructor(options: PreparerOptions) {
    this.#options = options
  }

  /**
   * In the order of the requests. An email whose project nobody can tell is a refusal and no more: not even its template
   * can be looked for. `pathOf` says where each stands in the request.
   */
  async prepare(
    caller: Caller | OwnSender,
    named: ProjectContext | undefined,
    requests: readonly ReadEmail[],
    pathOf: (index: number) => string,
    files: Files,
  ): Promise<(PreparedEmail | DomainError)[]> {
    const owners = await this.#owners(caller, requests)
    const projects = requests.map(({ from }) => this.#projectOf(caller, named, from, owners.get(from.domain)))
    const conflicts = projects.flatMap((one, i) =>
      one instanceof DomainError && one.code === 'project_not_allowed'
        ? [{ path: `${pathOf(i)}/from`, message: 'belongs to another project than the header names' }]
        : [],
    )
    if (conflicts.length > 0) throw senderNotAllowed(conflicts)
    const texts = new TextParts(this.#options.templates)
    return Promise.all(
      requests.map(async (request, i) => {
        const project = projects[i]
        if (project === undefined) throw new Error('a request without a project')
        if (project instanceof DomainError) return project
        const prepared = await this.#prepareOne(project, request, owners.get(request.from.domain), files, texts)
        return { ...prepared, ...sentBy(caller) }
      }),
    )
  }

  /** The owners of the domains in `from` that the caller may see. */
  async #owners({ workspaceId, projectIds }: Visibility, requests: readonly ReadEmail[]): Promise<Map<string, Owner>> {
    const names = requests.filter(({ from }) => !this.#isSandbox(from.email)).map(({ from }) => from.domain)
    if (names.length === 0) return new Map()
    const owners = await this.#options.domains.owners(workspaceId, [...new Set(names)])
    return projectIds === null
      ? owners
      : new Map([...owners].filter(([, owner]) => projectIds.includes(owner.projectId)))
  }

  #projectOf(
    { workspaceId }: Pick<Caller, 'workspaceId'>,
    named: ProjectContext | undefined,
    from: ReadEmail['from'],
    owner: Owner | undefined,
  ): ProjectContext | DomainError {
    const project = owner && { id: owner.projectId, workspaceId, status: owner.projectStatus }
    return settle(() =>
      projectOfSender(
        named,
        this.#isSandbox(from.email) ? { kind: 'sandbox' } : { kind: 'domain', name: from.domain, project },
      ),
    )
  }

  #isSandbox(email: string): boolean {
    return email.toLowerCase() === this.#options.sandbox.sender.toLowerCase()
  }

  async #prepareOne(
    project: ProjectContext,
    request: ReadEmail,
    owner: Owner | undefined,
    files: Files,
    texts: TextParts,
  ): Promise<Omit<PreparedEmail, 'keyId' | 'personId'>> {
    const isSandbox = this.#isSandbox(request.from.email)
    const { content, problem } = await this.#contentOf(project, request, texts)
    const refusal = this.#senderProblem(request, isSandbox, owner) ?? problem ?? sizeProblem(content)
    const stored = files === 'kept' && refusal === undefined ? request.attachments : []
    return {
      project,
      request,
      domainId: isSandbox ? null : (owner?.domainId ?? null),
      tracking: {
        opens: request.tracking.opens ?? owner?.trackOpens ?? false,
        clicks: request.tracking.clicks ?? owner?.trackClicks ?? false,
      },
      content,
      blobs: await Promise.all(stored.map((attachment) => this.#options.blobs.stage(attachment.content))),
      refusal,
    }
  }

  #senderProblem(request: ReadEmail, isSandbox: boolean, owner: Owner | undefined): DomainError | undefined {
    const { simulatorDomain } = this.#options.sandbox
    if (!isSandbox) return owner === undefined ? domainNotVerified(request.from.domain) : undefined
    const outside = request.recipients.find(({ address }) => address.domain !== simulatorDomain)
    if (outside === undefined) return undefined
    return new DomainError(
      'sandbox_only',
      `The sandbox sender mails ${simulatorDomain} only, not ${outside.address.domain}. Verify a domain to mail others.`,
    )
  }

  async #contentOf(
    project: ProjectContext,
    request: ReadEmail,
    texts: TextParts,
  ): Promise<{ content: PreparedContent; problem: DomainError | undefined }> {
    const { templates, db } = this.#options
    const { template: name, variables } = request
    const template = name === undefined ? undefined : await templates.findNamed(db.reads, project.id, name)
    const source = request.isTemplate ? templateIn(request) : template
    const said: Partial<Pick<ReadEmail, 'subject' | 'html' | 'text'>> = request.isTemplate ? {} : request
    let parts = { subject: '', html: '', text: '' }
    let html = said.html ?? null
    let text: string | null = null
    let problem: DomainError | undefined
    try {
      if (source !== undefined) parts = await templates.fill(source, variables, askedBy(project))
      html ??= parts.html || null
      text = said.text ?? (parts.text || (html === null ? null : await texts.from(html, project)))
    } catch (error) {
      // Nothing is known of the email yet: as its refusal it would be the answer to every repetition of the request.
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error
      problem = error
    }
    const subject = said.subject ?? parts.subject
    if (problem === undefined && subject === '' && request.subject === undefined) {
      problem = invalid([{ path: '/subject', message: 'is required: the template has none' }])
    }
    const content = {
      subject,
      html,
      text,
      templateId: template?.id ?? null,
      templateVersion: template?.version ?? null,
      size: sizeOf(request, html, text),
    }
    return { content, problem }
  }
}

const templateIn = ({ subject = '', html = '', text = '' }: ReadEmail) => ({ subject, html, text, variables: [] })

/** Exact where it matters, at most the bytes that there are where it does not. */
function sizeOf({ attachments }: ReadEmail, html: string | null, text: string | null): number {
  const bytes =
    Buffer.byteLength(html ?? '') +
    Buffer.byteLength(text ?? '') +
    attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (bytes < LARGE_BYTES) return bytes
  return bodySize({ html: html ?? undefined, text: text ?? undefined, attachments }, 'size')
}

const sizeProblem = ({ size }: PreparedContent): DomainError | undefined =>
  size <= MAX_MESSAGE_BYTES
    ? undefined
    : new DomainError('payload_too_large', `The message would have ${size} bytes, and may have ${MAX_MESSAGE_BYTES}.`, {
        limitBytes: MAX_MESSAGE_BYTES,
      })

const sentBy = (caller: Caller | OwnSender): Pick<PreparedEmail, 'keyId' | 'personId'> => ({
  keyId: caller.type === 'key' ? caller.keyId : null,
  personId: caller.type === 'person' ? caller.personId : null,
})
