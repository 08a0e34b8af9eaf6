/** What became of the mail of a domain. */
export const deliverability = {
  title: 'Deliverability',
  period: 'The last 30 days',
  provider: 'Provider',
  all: 'All providers',
  accepted: 'Accepted',
  outcome: 'Outcome',
  bounced: 'Bounced',
  complaints: 'Complaints',
  nothing: 'No mail was sent from this domain in this time.',
  limits: (bounced: string, complaints: string) =>
    `Keep bounces below ${bounced} and complaints below ${complaints}: above that, providers begin to refuse mail of the domain.`,
}
