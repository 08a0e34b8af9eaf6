/**
 * What replies of class 5 mean, as data. The first rule that fits decides, in this order: words about us, what one provider
 * is known to say, wording that outweighs every code, the enhanced code, wording again where the code says little, what is
 * left of the codes. What a verdict is good for depends on where it was heard as well: see `reply-class.ts`.
 *
 *   recipient        nobody is there, or will ever be: no more mail to this address
 *   spam             they call this message spam
 *   quarantine       they have it and keep it back
 *   full             the mailbox has no room
 *   content          this message, as it is, is not wanted: too large, a virus, malformed
 *   infrastructure   it is about us: our address, name, signatures, rate, or the way we speak
 *
 * When in doubt, `infrastructure`: nobody may lose his mail for good because of a fault of ours.
 */
export type FailureClass = 'recipient' | 'spam' | 'quarantine' | 'full' | 'content' | 'infrastructure'

export interface Rule {
  text?: RegExp
  enhanced?: RegExp
  code?: number
  /** The rule is as good as a code: it has a code of the provider's own, or words that never mean anything else. */
  isSure?: true
  class: FailureClass
}

/**
 * Words about who sends, not about who is written to. They come first: `550 5.1.1 sender unknown` names the code of an
 * unknown recipient and means us. Which part of us it is does not matter here; all of it is for us to mend.
 */
export const ownRules: readonly Rule[] = [
  // This is the one exception: the reply only says that a name is unknown, with the code for the recipient's host.
  {
    enhanced: /^5\.1\.2$/,
    text: /^(<address>\W*)?host ?name (is )?(unknown|not found|does not exist)/i,
    class: 'recipient',
  },
  // These speak of the envelope: the sender, the return path, and bounces that are not wanted back.
  {
    text: /\bsender|\boriginator|\bmail ?from(?! the)\b|\benvelope[- ]?from|\b(return|reverse)[- ]?(path|address)|\breturned mail\b|\bbatv\b|\bbackscatter|\b(unsigned|third-party) dsn/i,
    class: 'infrastructure',
  },
  // These say the same in other languages.
  {
    text: /\babsender|\bexp[ée]diteur|\b[ée]metteur|\bremitente|\bmittente|отправител|\bnadawc|发件人|寄件者|差出人|送信者/i,
    class: 'infrastructure',
  },
  // These words speak of us: the From field, our host, our address, our account.
  {
    text: /\bfrom(:| (address|domain|header|field|line|unknown|hosts?|servers?|your?|dynamic|outside|specific|this (address|ip|user|customer|domain|network))\b)|\b(e-?mails?|messages?|connections?|traffic|access|accept\w*) from\b|\breply-to\b/i,
    class: 'infrastructure',
  },
  {
    text: /\byour (own )?(e-?mail )?(ip|address|host\w*|server|network|domain|helo|ehlo|mail ?(server|host|box)|remote ?host|account|user\b|customer|subscription|plan|trial|tenant|organi[sz]ation|service|quota|sending|smtp|envelope|date|isp|internet service)/i,
    class: 'infrastructure',
  },
  {
    text: /\byou (are|were|do|have|don't|cannot|can't|must) (not|no|been|sent|exceeded|sending|a)\b|\byou're\b/i,
    class: 'infrastructure',
  },
  // These speak of how our host presents itself, and of the reputation of its address.
  {
    text: /\bhelo\b|\behlo\b|\b(client|connecting|sending|peer) (host|ip|address|name|domain|mta|account|user)|\bremote (address|host ?name)|\b(unknown|unresolvable) (client|remote|relay|sending) |\bhost ?names?\b|(?<!exchanger or )\bip (address|name)\b|\bno access\b|\bopen proxy|\bmail exchanger\b.*\bnot\b|\bnot be mail exchanger|\bdynamic ip|\bforged\b|\bhost \[?\d+\.\d+\./i,
    class: 'infrastructure',
  },
  {
    text: /\binvalid dns\b|\bdns (mx|a|aaaa|ptr) |\brfc ?1035\b|\bmx records for \S+ violate/i,
    class: 'infrastructure',
  },
  // These speak of the header of the message.
  {
    text: /\bheaders?\b|\bmessage-id\b|\b(message|invalid|bad) date\b|\bdate: |\bmultiple (from|addresses)\b|\bfully[- ]qualified\b|\bempty email address/i,
    class: 'infrastructure',
  },
  // These speak of our account with a relay: who may send, and how much.
  {
    text: /\b(smtp|api|relay|sending|outbound|outgoing|authenticated|smarthost|access|aws) (account|user|customer|key|token|mail)\b|\b(api|access) key\b|\btoken (is )?(invalid|unknown|expired)|\bserver token\b|\bcredentials?\b|\bpassword\b|\bsubscription\b|\blicen[cs]e\b|\bcredits\b|\bsandbox\b|\bidentit(y|ies)\b|\btenant\b/i,
    class: 'infrastructure',
  },
  {
    text: /\b(allowed|authori[sz]ed|permitted|permissions?) to (send|relay|perform|post|submit)|\bto send (mail|as|from)\b|\bsend ?as ?denied|\bfor sending\b|\bsending (is |has been )?(paused|suspended|disabled)|\boutgoing abuse|\bnot (verified|subscribed)\b|\b(not a|un)registered (gateway )?(user|domain)/i,
    class: 'infrastructure',
  },
  // A list that takes mail of its members only.
  { text: /\bnon-?members?\b|\bmembers?[- ]only\b|\bonly members\b|\bclosed mailing list/i, class: 'infrastructure' },
  // Too many wrong ones is a reason to refuse the right ones, too.
  {
    text: /\btoo (many|much)\b|\bno valid recipients\b|\bfrequency limited\b|\bdaily limit\b/i,
    class: 'infrastructure',
  },
]

/** The keys are the names in `providers.ts`. */
export const providerRules: Readonly<Record<string, readonly Rule[]>> = {
  google: [
    // https://support.google.com/a/answer/3726730 lists authentication, PTR, rate and TLS.
    { enhanced: /^5\.7\.(2[3-9]|3\d|40)$/, class: 'infrastructure' },
    { text: /receiving mail (at a rate|too quickly)/i, class: 'infrastructure' },
    { text: /unusual rate of|not authorized to send email directly|low reputation/i, class: 'infrastructure' },
    { text: /likely unsolicited|unsolicited mail/i, class: 'spam' },
    { text: /potential security issue/i, class: 'content' },
    { enhanced: /^5\.2\.1$/, text: /disabled|inactive/i, class: 'recipient' },
  ],
  microsoft: [
    { enhanced: /^5\.1\.(1|10)$/, class: 'recipient' },
    { enhanced: /^5\.5\.0$/, text: /mailbox unavailable/i, class: 'recipient' },
    { text: /RecipNotFound|RecipientNotFound/i, isSure: true, class: 'recipient' },
    { enhanced: /^5\.7\.(509|511|512|515|5[2-9]\d|6\d\d|7\d\d)$/, class: 'infrastructure' },
    { text: /block list \(S\d+\)|\(S3[0-9]{3}\)|banned sending ip/i, class: 'infrastructure' },
    { enhanced: /^5\.7\.13\d$/, class: 'infrastructure' },
  ],
  yahoo: [
    { text: /doesn't have an? \S+ account|account has been disabled|\[#?10[12]\]/i, class: 'recipient' },
    { text: /mailbox not found|no such user/i, class: 'recipient' },
    { text: /\[(BL|TSS?|GL|PH|IPTS)\d+\]|permanently deferred|policy reasons/i, class: 'infrastructure' },
  ],
  apple: [{ text: /\[(CS|HM)\d+\]|local policy/i, class: 'infrastructure' }],
  comcast: [
    { text: /not our customer/i, class: 'recipient' },
    { text: /block for spam|\b(BL|RL|PT)\d{3,}/, class: 'infrastructure' },
  ],
  orange: [
    { text: /OFR_?416/i, isSure: true, class: 'recipient' },
    { text: /OFR_?506|OFR_?515/i, class: 'spam' },
    { text: /OFR/, class: 'infrastructure' },
  ],
  laposte: [
    { text: /\bLPNA?\d+_416/i, isSure: true, class: 'recipient' },
    { text: /\bLPNA?\d+_506/i, class: 'spam' },
    { text: /\bLPNA?\d+_/i, class: 'infrastructure' },
  ],
  netease: [
    { text: /\bDT:SPM\b/, class: 'spam' },
    { text: /\b(DT|MI|IP|CONN|HL|RP):[A-Z]/, class: 'infrastructure' },
  ],
  mimecast: [{ text: /MCSpamSignature/i, class: 'spam' }],
  'united-internet': [{ text: /reject due to policy|bad DNS PTR|nemesis/i, class: 'infrastructure' }],
}

/** Wording that is stronger than any code. Our own faults come first. */
export const strongRules: readonly Rule[] = [
  {
    text: /spamhaus|spamcop|\b(dns|r)bl\b|sorbs\.net|barracuda(central|networks)?\.(org|com)\/|block ?lists?\b|black ?list(s|ed)?\b|deny ?list|spam list|\bdynablock|invaluement|uceprotect|\bproofpoint\.com|cloudmark.*reset|senderbase|senderscore/i,
    class: 'infrastructure',
  },
  {
    text: /\bblocked using\b|client host .*(blocked|rejected)|your (ip|host|server|network|domain)\b.*\b(block|ban|reject|den[iy]|list)|\bip\b.{0,40}\b(blocked|banned|rejected|denied|blacklisted|not allowed)|(blocked|banned|denied|rejected).{0,20}\bip\b/i,
    class: 'infrastructure',
  },
  {
    text: /reverse (dns|hostname|lookup|name)|\bptr\b|\brdns\b|fcrdns|(bad|poor|low|no|negative) (\S+ ){0,3}reputation|reputation of/i,
    class: 'infrastructure',
  },
  {
    text: /(spam|unsolicited).{0,60}\b(from|by|of) (your|this|the) (ip|network|host|server|address|domain)|\bip\b.{0,60}\bspam/i,
    class: 'infrastructure',
  },
  {
    text: /\b(spf|dkim|dmarc)\b|sender (policy framework|id\b)|authenticat(ed|ion)|unauthenticated/i,
    class: 'infrastructure',
  },
  {
    text: /rate limit|too many (messages|connections|recipients|mails|emails|sessions)|(sending|daily|hourly|message|sender) (limit|quota)|limit exceeded for (sender|ip)|throttl/i,
    class: 'infrastructure',
  },
  { text: /callback (setup|verification)|verification failed/i, class: 'infrastructure' },
  {
    text: /relay(ing)? (access )?(denied|not (permitted|allowed)|prohibited)|unable to relay|as a relay|not (a )?relay|rcpthosts/i,
    class: 'infrastructure',
  },
  { text: /quarantin/i, class: 'quarantine' },
  { text: /virus|malware|infected|trojan|phish|malicious|dangerous|executable|attachments?\b/i, class: 'content' },
  {
    text: /\bspam\b|spammy|spam[ -]?(like|score|content|message|detected|filter)|unsolicited|junk (e-?)?mail|\bUBE\b|\bUCE\b|bulk mail|identified as (spam|junk)|spamassassin/i,
    class: 'spam',
  },
  // A server may say `5.1.1` as well, but the mailbox exists as long as it is full.
  {
    text: /(over|exceed\w*|out of|insufficient) (\S+ )?(quota|storage|disk space)|quota (is )?exceeded|(mailbox|inbox|account|maildir) (\S+ ){0,3}(is )?(full|over quota)|\bmailbox (size )?limit|not enough (storage|space)|überfüllt|mailfolder is full/i,
    class: 'full',
  },
]

/** These codes of RFC 3463 and its registry mean the same everywhere. */
export const enhancedRules: readonly Rule[] = [
  { enhanced: /^5\.1\.(1|2|3|4|6|10)$/, class: 'recipient' },
  // Cisco's gateways and Microsoft's edge answer an unknown recipient like this.
  { enhanced: /^5\.1\.0$/, text: /^address rejected/i, class: 'recipient' },
  { enhanced: /^5\.4\.1$/, text: /recipient address rejected: access denied/i, class: 'recipient' },
  { enhanced: /^5\.1\.[789]$/, class: 'infrastructure' },
  { enhanced: /^5\.2\.1$/, class: 'recipient' },
  { enhanced: /^5\.2\.2$/, class: 'full' },
  { enhanced: /^5\.2\.[34]$/, class: 'content' },
  { enhanced: /^5\.3\.4$/, class: 'content' },
  { enhanced: /^5\.6\.\d+$/, class: 'content' },
  // RFC 7293: the mailbox belongs to another person now.
  { enhanced: /^5\.7\.(17|18)$/, class: 'recipient' },
  { enhanced: /^5\.[57]\.[2-9]\d*$/, class: 'infrastructure' },
]

/**
 * Words about a domain or a host that is not there, as those write them who looked for one. Only in a report: a server that
 * answers us was found, so that it means another one, mostly ours.
 */
export const lookUpRules: readonly Rule[] = [
  {
    text: /\b(unknown|no such|non-?existent|unrouteable|unroutable|undefined) (mail )?(host|domain)s?\b|\b(host|domain)( name)? (is )?(unknown|not found|does not exist)|dns domain \S+ does not exist|mail server for \S+ (is )?unknown|domain \S+ is (not known|unknown)|domain is not reachable|\bnxdomain\b|illegal host\/domain|found but no data record of requested type|no mail hosts for|host address lookups failed permanently|lookup of host \S+ failed in dnslookup|could ?n[o']t find (any|an?) (host|mail exchanger|ip address)|indicated no smtp service|point to non-existent hosts|\bnull ?mx\b|\bno mx\b/i,
    isSure: true,
    class: 'recipient',
  },
]

/** Wording for where the codes say little: `5.0.0`, `5.2.0`, `5.7.1`, or none at all. */
export const weakRules: readonly Rule[] = [
  {
    text: /(message|mail|size|content).{0,30}(too (big|large)|exceeds|larger than)|(exceeds|maximum).{0,30}(message )?size/i,
    class: 'content',
  },
  // These speak of the content of the message, or of a failed lookup; they may mention a recipient beside it.
  {
    text: /\b(body|contents?|mime|charset|encoding|links?|urls?|signatures?|certificates?|cipher|macros?|documents?|bare (cr|lf)|line too long|unsigned mail)\b/i,
    class: 'content',
  },
  {
    text: /\b(database|service|server|backend|directory|ldap|verification|lookup|look-up)\b.{0,40}\b(unavailable|not available|failed|failure|error|down)\b|\bfrequency\b|\bloop(s|ed|ing)?\b|\bauthenti\w+|\brelay\w*\b(?! recipient table)|\bpolic(y|ies)\b|\bprotocol\b|\bchallenge\b|\bblocked\b|\btls\b|\bencrypt|\btemporar(y|ily)\b|\bdns\b|\bnot responding\b|\babuse\b/i,
    class: 'infrastructure',
  },
  {
    text: /(user|recipient|mailbox|account|address|alias|person|customer|addressee|subscriber|e-?mail|name|destinat\w+)\b.{0,60}\b(unknown|not (be )?found|does ?n[o']t exist|doesn't exist|no longer (exists?|valid|available|active|on server|accepts? (e-?)?mail)|not exist|non-?exist\w*|invalid|inactive|disabled|discontinued|suspended|deactivated|frozen|locked|expired|deleted|terminated|closed|undeliverable|not (a )?(valid|known|local|listed|active|recognized)|is unavailable|unavailable|moved|unrouteable)/i,
    class: 'recipient',
  },
  {
    text: /(no such|unknown|invalid|unrouteable|unroutable|undeliverable|nonexistent|non-existent|inactive|disabled|not a (valid|known)|bad destination|bad|illegal) (\S+ ){0,2}(user|recipient|mailbox|account|address|alias|addressee|person|customer|local part|destination|e-?mail)/i,
    class: 'recipient',
  },
  {
    text: /no (mailbox|account|user|recipient|one|body|person)\b.{0,30}(here|by that name|found|with)|there is no one|user (does not|doesn't|is not|isn't|has no|hasn't|unknown)|unknown (local|to)|takes? no mail|does not accept (e-?mail|mail)|not our (customer|user)|mailbox unavailable|no longer (with|works|employed)|utilisateur inconnu|unbekannt|existiert nicht|inconnu|no existe|desconocid/i,
    class: 'recipient',
  },
  {
    text: /no such mail ?drop|check (if|whether|that) (the |this )?address is correct|do(es)? not have (this|that|such an?) (user|recipient|mailbox)|mail ?box (is )?not available|mail box unavailable|RecipientNotFound|(can ?not|can't|could ?n[o']t) find (the |that |this )?(user|recipient|mailbox)/i,
    class: 'recipient',
  },
  {
    text: /(utente|destinatario|indirizzo) \S{0,3} ?(sconosciut|inesistente)|(użytkownik|adresat|skrzynka) nie istnieje|(пользователь|получатель|ящик|адрес) не (найден|существует)|(ユーザー?|宛先|アドレス).{0,60}(見つかりません|存在しません)|(用户|收件人|邮箱|帐号)不存在/i,
    class: 'recipient',
  },
  { text: /not listed in (the )?(domino )?directory/i, class: 'recipient' },
]

export const basicRules: readonly Rule[] = [
  { enhanced: /^5\.[3-57]\.\d+$/, class: 'infrastructure' },
  // The reply says nothing but that: one about a policy names the policy, or says that access is denied.
  { code: 550, text: /^\W{0,4}(<address>:?)?\W{0,4}recipient (address )?rejected\W{0,4}$/i, class: 'recipient' },
  // RFC 7504: the host, or the domain, accepts no mail.
  { code: 521, class: 'recipient' },
  { code: 556, class: 'recipient' },
  { code: 551, class: 'recipient' },
  { code: 552, class: 'full' },
  { code: 523, class: 'content' },
]
