/** What the SMTP server said when it happened. */
export interface SmtpDetail {
  code?: number
  enhanced?: string
  stage?: string
  host?: string
  address?: string
  source?: string
  tls?: string
  ms?: number
}
