/** The links that mail carries: each is signed, and says which recipient of which email it was made for. */
import { mailedToken, signClick, signReference, type AccountLink } from '../../core/mail-reference.ts'
import type { TokenKeys } from '../../core/token.ts'
import type { DueDelivery } from '../../resources/emails/index.ts'

export interface LinksOptions {
  keys: TokenKeys
  /** Links begin with it, unless the sender's domain has a host of its own for them. */
  publicUrl: string
}

type Whose = Pick<DueDelivery, 'emailId' | 'position' | 'trackingHost'>

export class Links {
  readonly #keys: TokenKeys
  readonly #publicUrl: string

  constructor({ keys, publicUrl }: LinksOptions) {
    this.#keys = keys
    this.#publicUrl = publicUrl.replace(/\/$/, '')
  }

  unsubscribe(whose: Whose): string {
    return `${this.#publicUrl}/u/${signReference(this.#keys, 'unsubscribe', whose)}`
  }

  preferences(whose: Whose): string {
    return `${this.unsubscribe(whose)}/preferences`
  }

  /** The part of a link that lets somebody in. */
  account(whose: Whose, link: AccountLink): string {
    return `#${mailedToken(this.#keys, link, whose)}`
  }

  /** The address of an image of one transparent pixel. */
  open(whose: Whose): string {
    return `${this.#trackingUrl(whose)}/t/o/${signReference(this.#keys, 'open', whose)}.gif`
  }

  /**
   * A link that leads on to the target, which stays readable in it. Undefined for a target that is ours already, and
   * for a link that would be too long for some proxies.
   */
  click(whose: Whose, target: string): string | undefined {
    if (this.#isOurs(whose, target)) return undefined
    const url = `${this.#trackingUrl(whose)}/t/c/${signClick(this.#keys, whose, target)}?u=${encodeURIComponent(target)}`
    return url.length > MAX_URL_LENGTH ? undefined : url
  }

  #isOurs(whose: Whose, target: string): boolean {
    return [this.#publicUrl, this.#trackingUrl(whose)].some((own) =>
      ['/u/', '/t/'].some((path) => target.startsWith(`${own}${path}`)),
    )
  }

  #trackingUrl({ trackingHost }: Whose): string {
    return trackingHost === null ? this.#publicUrl : `https://${trackingHost}`
  }
}

/** Many proxies take a request line of at most 8 KiB. */
const MAX_URL_LENGTH = 7_000
