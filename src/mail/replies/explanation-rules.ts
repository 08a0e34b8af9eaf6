/**
 * Which explanation fits a reply, as data: for each class that `reply-rules.ts` gives it, the first rule that fits decides.
 * A rule only says more about a class and can never contradict it. Where none fits, the explanation is the class's own.
 */
import type { ExplanationName } from './explanations.ts'
import type { FailureClass } from './reply-rules.ts'

export interface ExplanationRule {
  provider?: string
  code?: number
  /** It is matched without the class of the code, which says nothing but how long it lasts: `1.1` of `5.1.1`. */
  enhanced?: RegExp
  text?: RegExp
  is: ExplanationName
}

export const explanationRules: Readonly<Record<FailureClass, readonly ExplanationRule[]>> = {
  recipient: [
    { text: /receiving (?:e-?)?mail (?:at a rate|too quickly)/i, is: 'recipientRate' },
    { text: /recipient'?s? (?:preferences|settings)|recipient (?:has )?(?:blocked|declined)/i, is: 'recipientRefuses' },
    {
      text: /null ?mx|(does not|doesn't) (accept|receive) (e-?)?mail|takes no mail|no smtp service/i,
      is: 'domainTakesNoMail',
    },
    // RFC 7505 means a domain without mail by this code, and Microsoft a person who is not there.
    { enhanced: /^1\.10$/, text: /not ?found|does not exist/i, is: 'noMailbox' },
    { enhanced: /^1\.10$/, is: 'domainTakesNoMail' },
    { code: 556, is: 'domainTakesNoMail' },
    { code: 521, is: 'domainTakesNoMail' },
    { enhanced: /^7\.1[78]$/, is: 'mailboxReassigned' },
    {
      text: /\bmoved\b|no longer (on (this )?server|with|works|employed)|not our customer|user not local/i,
      is: 'mailboxMoved',
    },
    { enhanced: /^1\.6$/, is: 'mailboxMoved' },
    {
      text: /inactive|disabled|deactivated|discontinued|suspended|\blocked\b|frozen|expired|terminated|\bclosed\b|deleted|no longer (exists?|valid|available|active|accepts?)|\[#?102\]/i,
      is: 'mailboxClosed',
    },
    { enhanced: /^1\.[24]$/, is: 'noDomain' },
    { enhanced: /^4\.4$/, is: 'noDomain' },
    {
      text: /\b(host|domain)( name)? (\S+ )?(is )?(unknown|not found|not known|does not exist|not reachable)|no data record|(unknown|no such|non-?existent|undefined|illegal) (mail )?(host|domain)|mail exchanger|nxdomain|host\/domain|no mail hosts|(dns ?|host \S+ )lookup|lookups failed|\bno mx\b|dns domain|mail server for/i,
      is: 'noDomain',
    },
    { enhanced: /^1\.3$/, is: 'badAddress' },
    { text: /syntax|malformed|bad address|illegal (?:address|character)/i, is: 'badAddress' },
    { enhanced: /^1\.1(?:0)?$/, is: 'noMailbox' },
    {
      text: /unknown|no such|no (?:\S+ )?(?:mailbox|account|user|recipient|one|body|person)\b|not (?:a )?(?:valid|known|local|listed|recognized|exist)|not (?:be )?found|does ?n[o']t (?:exist|have)|invalid|unrouteable|unroutable|undeliverable|non-?existent|not exist|recip\w*notfound|is not|(?:can|could|do) ?n[o']t (?:find|have)|check (?:if|whether|that)/i,
      is: 'noMailbox',
    },
    {
      text: /unbekannt|existiert nicht|inconnu|no existe|desconocid|sconosciut|inesistente|nie istnieje|не (?:найден|существует)|見つかりません|存在しません|不存在|invalide/i,
      is: 'noMailbox',
    },
    { text: /(?:mail ?box|mail box) (?:is )?(?:unavailable|not available)|\b_?416\b|\[#?101\]/i, is: 'noMailbox' },
    {
      text: /(?:recipient|address) (?:address )?rejected|takes? no|does not have|no longer|\bbad destination|there is no/i,
      is: 'noMailbox',
    },
    { enhanced: /^2\.1$/, is: 'mailboxClosed' },
  ],
  spam: [
    { text: /^reported as |^the recipient called it spam/i, is: 'complained' },
    { text: /\b(?:urls?|links?)\b|uribl|surbl/i, is: 'badLink' },
  ],
  quarantine: [],
  full: [{ text: /\bsystem\b/i, is: 'receiverStorage' }, { is: 'mailboxFull' }],
  content: [
    { text: /mailbox (?:\S+ ){0,3}exceeds/i, is: 'mailboxFull' },
    { text: /virus|malware|infected|trojan|phish|malicious|dangerous|security issue/i, is: 'virus' },
    { text: /executable|attachments?\b|macros?\b|\bfile ?(?:type|name|s)?\b|documents?\b/i, is: 'attachment' },
    { enhanced: /^(?:3\.4|2\.3)$/, is: 'tooLarge' },
    {
      text: /too (?:big|large)|exceeds|larger than|maximum.{0,30}size|size limit|(?:message|mail) size|octets, the server/i,
      is: 'tooLarge',
    },
    { text: /\blinks?\b|\burls?\b|uribl|surbl/i, is: 'badLink' },
    { enhanced: /^6\.(?:7|9|10)$/, is: 'needsUtf8' },
    { text: /smtputf8|8-?bit|charset|character set/i, is: 'needsUtf8' },
    { code: 523, is: 'tooLarge' },
    { text: /\b(?:tls|certificates?|cipher|encrypt\w*)\b/i, is: 'receiverTls' },
    {
      text: /mime|malformed|encoding|bare (?:cr|lf)|line too long|headers?\b|syntax|rfc|\bnul\b|invalid characters/i,
      is: 'malformed',
    },
    { text: /unsigned mail|signatures?\b/i, is: 'notAuthenticated' },
    { enhanced: /^6\.\d+$/, is: 'malformed' },
  ],
  infrastructure: [
    // What we say ourselves, where no server answered.
    { text: /^sent, but not confirmed/i, is: 'unconfirmed' },
    { text: /^the connection failed \(tls\)/i, is: 'receiverTls' },
    { text: /^the connection failed \(dns\)/i, is: 'dnsTrouble' },
    { text: /^the connection failed \(auth\)/i, is: 'relayAccount' },
    { text: /is at an address to which no mail may be sent/i, is: 'forbiddenAddress' },
    { text: /^the mx records of .* name no host|^the mail hosts of .* are not known now/i, is: 'dnsTrouble' },

    // What one provider is known to mean.
    { provider: 'google', enhanced: /^7\.(?:26|27|30|40)$/, is: 'notAuthenticated' },
    { provider: 'google', enhanced: /^7\.25$/, is: 'noReverseDns' },
    { provider: 'google', enhanced: /^7\.29$/, is: 'receiverTls' },
    { provider: 'google', enhanced: /^7\.28$/, is: 'rate' },
    { provider: 'google', text: /low reputation/i, is: 'addressReputation' },
    { provider: 'google', text: /receiving mail (?:at a rate|too quickly)/i, is: 'recipientRate' },
    { provider: 'microsoft', enhanced: /^7\.(?:509|515)$/, is: 'notAuthenticated' },
    { provider: 'microsoft', enhanced: /^7\.(?:606|607|608|609|61\d|62\d|63\d|64\d|708|711)$/, is: 'addressRefused' },
    { provider: 'microsoft', text: /\(S\d+\)|banned sending ip/i, is: 'addressListed' },
    { provider: 'microsoft', enhanced: /^7\.13\d$/, is: 'membersOnly' },
    { provider: 'yahoo', text: /\[TSS?\d+\]|\[IPTS\d+\]|unexpected volume|user complaints/i, is: 'addressReputation' },
    { provider: 'yahoo', text: /\[(?:BL|GL|PH)\d+\]/i, is: 'addressListed' },
    { provider: 'apple', text: /\[CS\d+\]/i, is: 'contentRefused' },
    { provider: 'apple', text: /\[HM\d+\]/i, is: 'addressReputation' },
    { provider: 'united-internet', text: /dns ptr/i, is: 'noReverseDns' },
    { provider: 'netease', text: /\b(?:MI|CONN|HL|RP):/, is: 'rate' },
    { provider: 'netease', text: /\bIP:/, is: 'addressRefused' },
    { text: /\[TSS?\d+\]|unexpected volume or user complaints/i, is: 'addressReputation' },
    { text: /ofr_?\d*_?519/i, is: 'notAuthenticated' },
    { text: /ip address blacklisted/i, is: 'addressListed' },
    { text: /ofr_?\d*_?10[0-9]\b/i, is: 'rate' },
    { text: /(?:ofr|lpna?)_?\d*_?(?:505|108|999|104|105|109)\b|service refuse/i, is: 'rate' },
    { text: /lpna?\d+_?6\d\d/i, is: 'addressRefused' },
    { provider: 'comcast', text: /\bBL\d+/i, is: 'addressListed' },
    { provider: 'comcast', text: /\bPT\d+/i, is: 'noReverseDns' },
    { provider: 'comcast', text: /\bRL\d+/i, is: 'rate' },

    { text: /over ?quota|ofr_?\d*_?417/i, is: 'mailboxFull' },

    // Words that can hardly mean anything else, before those that could.
    { text: /duplicate header/i, is: 'malformed' },
    { text: /\bstarttls\b/i, is: 'receiverTls' },
    {
      text: /(?:database|directory|ldap|user|address)\b.{0,30}\b(?:lookup failed|unavailable)|lookup failure$/i,
      is: 'receiverTrouble',
    },
    { text: /too many hops|hop count|mail (?:forwarding )?loop/i, is: 'loop' },
    { text: /(?:mail|message) size limit/i, is: 'tooLarge' },
    {
      text: /^the connection failed|(?:lost|closed|dropped) connection|connection (?:timed out|refused|reset|lost|dropped|died)|did not accept our requests to connect|network error|network (?:is )?unreachable|server refused to talk|socket error/i,
      is: 'unreachable',
    },
    { text: /host name lookup failure|name serv(?:ice|er)\b|dns query failed/i, is: 'dnsTrouble' },
    { text: /resources temporarily unavailable/i, is: 'receiverBusy' },

    // Greylisting is named with words of every other kind around it.
    { text: /gr[ea]y-?list|\bpost-?grey|try again.{0,30}first time|first time sender/i, is: 'greylisted' },

    // Proof of who sends.
    {
      text: /\b(?:spf|dkim|dmarc|arc)\b|sender (?:policy framework|id\b)|unauthenticated (?:e-?mail|senders?)|purported responsible|authentication (?:information|checks|level|failed)|failed authentication|not authenticated|mismatches client ip|anti-?spoofing|\bspoof|\bsender is unauthenticated/i,
      is: 'notAuthenticated',
    },
    { enhanced: /^7\.(?:2[0-46-7]|515|509)$/, is: 'notAuthenticated' },
    { enhanced: /^7\.25$/, is: 'noReverseDns' },
    { text: /requirements for (?:bulk|large) senders|bulk sender|low complaint/i, is: 'bulkRules' },

    // Lists, of domains before addresses: the same operators keep both.
    {
      text: /\b(?:uribl|surbl)\b|(?:url|link)s?.{0,30}(?:black|block|list)|(?:black|block)\w* ?(?:url|link)/i,
      is: 'badLink',
    },
    {
      text: /\bdbl\b|(?:domain|sender|mailfrom|helo)\b.{0,60}(?:listed|black-?list|block ?list|spamhaus)|reputation of.{0,20}domain|domain.{0,20}reputation/i,
      is: 'senderDomainListed',
    },
    {
      text: /spamhaus|spamcop|\b\w*(?:dns|r)bls?\b|sorbs|barracuda\w*\.(?:org|com)|black ?-?list|block ?-?list|deny ?list|spam list|invaluement|uceprotect|senderbase|senderscore|blocked using|dynablock|cloudmark|\((?:BL)\)|banned sending|proofpoint\.com|\blisted (?:at|in|by|on)\b|IPBL\d+/i,
      is: 'addressListed',
    },
    { enhanced: /^7\.(?:60\d|61\d|62\d|63\d|64\d)$/, is: 'addressListed' },

    // How our host presents itself.
    { text: /\b(?:helo|ehlo)\b/i, is: 'badHello' },
    {
      text: /reverse (?:dns|hostname|lookup|name)|\bptr\b|\br-?dns\b|fcrdns|cannot find your (?:host ?name|reverse)|\bip name\b|name of your address|unverif\w+ (?:sending )?ip|forged|dynamic ip|no dns (?:record|name)|without a valid sender domain/i,
      is: 'noReverseDns',
    },
    {
      text: /\bhost ?name\b|unresolvable|(?:sending|connecting) (?:mail )?host|hosts? without a name|unknown host|\bfully[- ]qualified (?:host|domain)/i,
      is: 'badHello',
    },
    { text: /reputation|temporarily deferred|user complaints|permanently deferred/i, is: 'addressReputation' },

    // How much we send.
    { enhanced: /^(?:7\.28|4\.5|5\.3)$/, is: 'rate' },
    {
      text: /too many (?:\S+ )?recipients|recipients? limit|maximum (?:number of )?recipients/i,
      is: 'tooManyRecipients',
    },
    {
      text: /rate limit|throttl|too (?:many|much|fast|quick\w*)|slow down|frequency|unusual rate|(?:sending|daily|hourly|message|sender|connection|concurrent)\w* (?:\S+ )?(?:limit|quota)|limit\b.{0,30}\bexceeded|exceeded (?:\S+ ){0,3}(?:limit|threshold|rate)|veuillez essayer plus tard/i,
      is: 'rate',
    },

    // A list, a group, a mailbox that chooses.
    {
      text: /non-?members?\b|not a member|members?[- ]only|only members|closed mailing list|restricted|resolver\.rst|authrequired|notauthori[sz]ed|pre-?approved|not (?:subscribed|permitted to post)|permission to (?:post|send)|unknown senders|unauthenticated|confirm this mail|challenge/i,
      is: 'membersOnly',
    },
    // Google's groups answer in the language of whoever asks.
    {
      text: /\b(?:gruppe?|group|groupe|grupo|skupina|gruppo|grupa|groep)\b.{0,160}\b(?:exist|vorhanden|neexistuje|allow|permis|berechtig|autoris|opráv)|群組|グループ|групп?а|المجموعة|समूह|그룹|קבוצה/iu,
      is: 'membersOnly',
    },
    {
      text: /(?:blocked|refused|rejected) (?:by|due to) (?:the )?recipient|recipient (?:has )?(?:blocked|preferences|declined)|recipient'?s? (?:preferences|settings)/i,
      is: 'recipientRefuses',
    },

    // Our account with a relay.
    {
      text: /\b(?:smtp|api|access|server) (?:account|user|key|token)\b|credentials?\b|\bpassword\b|subscription|licen[cs]e|\bcredits\b|sandbox|identit(?:y|ies)\b|\btenant\b|your (?:account|user|plan|trial|organi[sz]ation|subscription|customer|quota|sending|isp|service)|(?:sending|authenticated|smtp|customer|outgoing|outbound)\b.{0,30}\b(?:suspended|disabled|paused|inactive|on hold|not active|locked)|not (?:verified|confirmed)|verified sender|(?:for|from) sending|registered (?:gateway )?user|(?:allowed|authori[sz]ed|permitted) to (?:send|relay|submit|post|use)|send ?as ?denied|authentication (?:is )?required|requires? authentication|authenticate first|authentifi\w+ (?:requise|erforderlich)|authorized to perform|smarthost|authenticated user|you (?:have no|do not have an?) account|your (?:e-?mail )?(?:account|mailbox)|proper authentication|\bauth\b.{0,20}(?:failed|required)|account pending|this customer|smtp server of your isp|outgoing abuse/i,
      is: 'relayAccount',
    },
    { code: 530, is: 'relayAccount' },
    { code: 535, is: 'relayAccount' },

    // `Mail from` may begin the name of a command, or a sentence about our host.
    {
      text: /\b(?:mails?|messages?|traffic|connections?|access) from (?:you\b|your|this (?:host|server|network|ip|address)|hosts?|servers?|an? (?:unknown|dynamic)|the ip|\[?\d+\.|$)|bad sender ip/i,
      is: 'addressRefused',
    },

    // The sender that the envelope and the header name.
    { enhanced: /^1\.[789]$/, is: 'senderUnknown' },
    {
      text: /\bsender|\boriginator|mail ?from\b|envelope[- ]?from|(?:return|reverse)[- ]?(?:path|address)|\bfrom (?:address|domain|header|field)|reply-to|\bbatv\b|backscatter|unsigned dsn|third-party dsn|callback|sending (?:address|domain)|rfc ?1035|invalid dns|verification failed|verify failed|mx records for|from line|\bdomain \S+ does not exist|^(?:\S+ ){0,2}\S+\.[a-z]+ does not exist/i,
      is: 'senderUnknown',
    },
    {
      text: /absender|exp[ée]diteur|[ée]metteur|remitente|mittente|отправител|nadawc|发件人|寄件者|差出人|送信者/i,
      is: 'senderUnknown',
    },

    // The form of the message.
    {
      text: /headers?\b|message-id|\bdate\b|multiple (?:from|addresses)|rfc ?5?[28]\d\d|fully[- ]qualified|\bfrom:|empty email address|malformed|missing (?:from|date|subject)/i,
      is: 'malformed',
    },

    // Our address, in words without a list.
    {
      text: /client (?:host|ip|address|name)|\byour (?:ip|address|host|server|network|domain|mail ?(?:server|host)|remote)|\bip\b|(?:connections?|traffic|mail|e-?mails?|messages?|access)(?: is| are)?(?: not)? ?(?:accepted )?from (?:this|your|an?|\d|the|unknown)|\bnetwork\b|(?:remote|peer) (?:address|host)|\bhost \[?\d+\.|mail exchanger|open proxy|\[\d+\.\d+\.\d+\.\d+\]|no access|\bblocked\b|(?:unknown|bad) (?:client|relay|host)|accept \S* ?(?:e-?)?mails? from/i,
      is: 'addressRefused',
    },

    // Routes, and servers behind the server.
    { text: /relay|rcpthosts|not (?:a )?local domain|we take no mail for/i, is: 'relayDenied' },
    { enhanced: /^4\.6$/, is: 'loop' },
    { text: /\bloop|too many hops|hop count|forwarding (?:loop|to)|passed too many/i, is: 'loop' },
    {
      text: /\b(?:tls|starttls|ssl|certificates?|cipher|encrypt\w*|handshake)\b/i,
      is: 'receiverTls',
    },
    { enhanced: /^7\.(?:10|11|12)$/, is: 'receiverTls' },
    { enhanced: /^4\.7$/, is: 'receiverGaveUp' },
    {
      text: /envelope expired|retry timeout|delivery time expired|in the queue too long|delivery failed \d+ attempts|unable to deliver this message after|\bexpired\b|gave up|giving up/i,
      is: 'receiverGaveUp',
    },
    { enhanced: /^4\.[12]$/, is: 'unreachable' },
    {
      text: /^the connection failed|connection (?:timed out|refused|reset|lost|dropped|closed|died)|timed? ?out|did not accept our requests to connect|network (?:is )?unreachable|no route|not responding|(?:server|host|destination).{0,30}(?:unreachable|not reach\w*|down)|unable to connect|could not connect|socket error|server refused to talk|broken pipe/i,
      is: 'unreachable',
    },
    { enhanced: /^4\.[34]$/, is: 'dnsTrouble' },
    {
      text: /\bdns\b|name serv(?:ice|er)|lookup (?:failure|failed|error)|host name lookup|could not find a gateway|could not resolve|domain not found|\bhost unknown\b|domain.{0,40}does not exist/i,
      is: 'dnsTrouble',
    },
    { enhanced: /^3\.1$/, is: 'receiverStorage' },
    {
      text: /system (?:storage|full)|insufficient (?:system|disk)|disk (?:is )?full|no space|mail system full/i,
      is: 'receiverStorage',
    },
    { enhanced: /^3\.2$/, is: 'receiverBusy' },
    {
      text: /\bbusy\b|overload|high load|load (?:is )?too high|maintenance|shutting down|service (?:is |currently )?(?:temporarily )?(?:un|not )available|resources? temporarily|service refused|too many connections|closing transmission|temporarily unavailable/i,
      is: 'receiverBusy',
    },
    {
      text: /internal (?:server )?error|misconfigur|can't create|could not load|mailbox (?:is )?(?:temporarily|access)|system (?:config\w* )?error|configuration (?:error|problem)|(?:database|backend|directory|ldap|lookup|server|filter|scanner|upstream|local)\b.{0,40}\b(?:error|failed|failure|(?:un|not )available|down)|unable to contact|can ?not (?:verify|open|write|create|access)|could ?n[o']t verify|temporary (?:\S+ )?(?:failure|error|problem)|mailer error|resources|permission denied|exec|write error|system error|program|pipe\b|command (?:died|failed|time)|queue file|local error|operating system/i,
      is: 'receiverTrouble',
    },
    { enhanced: /^3\.[035]$/, is: 'receiverTrouble' },
    { text: /\btry(?:ing)? (?:again|later)|come (?:again|back)|again later|not now/i, is: 'askedToWait' },
    {
      text: /polic(?:y|ies)|organi[sz]ational settings|mass mailer|administrative|prohibit|not allowed|denied|access rules|\brules?\b|zerotrust|bouncedeny|not (?:accepted|welcome|permitted)|security|\babuse\b|prevented/i,
      is: 'policy',
    },
    { code: 503, is: 'protocol' },
    { code: 504, is: 'protocol' },
    {
      enhanced: /^5\.[0-6]$/,
      text: /command|sequence|syntax|protocol|parameter|argument|pipelin|recogni/i,
      is: 'protocol',
    },
    { text: /command|sequence|syntax|protocol|pipelining/i, is: 'protocol' },
    { text: /content|message rejected as|\bbody\b|\bbulk\b/i, is: 'contentRefused' },
    { enhanced: /^7\.\d+$/, is: 'policy' },
  ],
}
