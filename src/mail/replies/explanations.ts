/** What replies mean, in words for people who never read an RFC: what happened, whose it is, and what to do about it. */

/**
 * Whose it is to mend.
 *
 *   recipient   the person, or the mailbox
 *   receiver    the server of the recipient, and those who run it
 *   sender      the domain that the email is from
 *   content     the message itself
 *   us          this installation: its address, its name, its pace, its relay
 *   unknown     the server gave no reason that we know
 */
export type Cause = 'recipient' | 'receiver' | 'sender' | 'content' | 'us' | 'unknown'

export interface Explanation {
  cause: Cause
  title: string
  sentence: string
  advice: string
  /** Nothing gets better until a person does what `advice` says. */
  needsAction: boolean
}

/** `waiting` replaces the advice while we still try by ourselves: then there is nothing to do. */
export interface Words extends Explanation {
  waiting?: string
}

const WAIT = 'Nothing needs to be done: we try again by ourselves.'
const SUPPRESSED = 'No more mail goes to it from this project.'

const someoneMust = (cause: Cause, title: string, sentence: string, advice: string, waiting?: string): Words => ({
  cause,
  title,
  sentence,
  advice,
  needsAction: true,
  ...(waiting === undefined ? {} : { waiting }),
})

const nobodyMust = (cause: Cause, title: string, sentence: string, advice: string, waiting = WAIT): Words => ({
  cause,
  title,
  sentence,
  advice,
  needsAction: false,
  waiting,
})

export const explanations = {
  // About the recipient.
  noMailbox: someoneMust(
    'recipient',
    'No such mailbox',
    'The domain exists, but its server knows nobody by this name.',
    'Check the address for a spelling mistake, and ask the person for the right one.',
    'Check the address for a spelling mistake. We try again by ourselves, because the server called it temporary.',
  ),
  mailboxClosed: someoneMust(
    'recipient',
    'The mailbox is closed',
    'The mailbox existed, and has been disabled or given up.',
    'Ask the person for another address, and take this one off your lists.',
    'We try again by ourselves. If it stays closed, ask the person for another address.',
  ),
  mailboxMoved: someoneMust(
    'recipient',
    'The recipient has moved',
    'The person no longer has a mailbox on this server.',
    'Ask for the new address: servers seldom tell it, and we follow none that they name.',
  ),
  mailboxReassigned: someoneMust(
    'recipient',
    'The mailbox belongs to somebody else now',
    'The address was given to another person since you last knew its owner.',
    'Take the address off your lists: mail to it would reach a stranger.',
  ),
  noDomain: someoneMust(
    'recipient',
    'The domain does not exist',
    'There is no such domain in the DNS, or it has no server that takes mail.',
    'Check what follows the @ for a spelling mistake.',
    'Check what follows the @ for a spelling mistake. We look for it again by ourselves.',
  ),
  domainTakesNoMail: someoneMust(
    'recipient',
    'The domain takes no mail',
    'Its owner has declared that nobody at this domain receives mail.',
    'Ask the person for another address.',
  ),
  badAddress: someoneMust(
    'recipient',
    'The address is not a valid one',
    'The server could not read the address as one of its own.',
    'Check the address for missing or surplus characters.',
  ),
  mailboxFull: someoneMust(
    'recipient',
    'The mailbox is full',
    'The recipient has no room left for mail.',
    'Tell the person by another way; when there is room again, send the email again.',
    'We try again by ourselves. Only the recipient can make room.',
  ),
  recipientRefuses: someoneMust(
    'recipient',
    'The recipient does not want this mail',
    'The recipient, or a rule of theirs, refuses mail from this sender.',
    'Ask the person by another way whether they want your mail; send no more until they say so.',
  ),
  membersOnly: someoneMust(
    'recipient',
    'The address takes mail from some senders only',
    'It is a list, a group or a mailbox that accepts mail of its members or of known senders only.',
    'Ask its owner to admit your sender address.',
  ),
  complained: someoneMust(
    'recipient',
    'The recipient complained',
    'The recipient marked the message as spam.',
    'Send no more to this address, and ask yourself how it came onto your list.',
  ),
  recipientRate: nobodyMust(
    'recipient',
    'The recipient gets too much mail at the moment',
    'The mailbox receives mail faster than its provider allows.',
    'Send the email again later.',
  ),

  // About the receiving server.
  greylisted: nobodyMust(
    'receiver',
    'The server asks every new sender to come again',
    'This is greylisting: the first attempt is put off, and a later one is accepted.',
    'Send the email again: the server never accepted a second attempt.',
  ),
  receiverBusy: nobodyMust(
    'receiver',
    'The server is busy',
    'It has too much to do, or is being maintained, and asked us to come again.',
    'Send the email again later; if it goes on, ask those who run the server.',
  ),
  askedToWait: nobodyMust(
    'receiver',
    'The server asked us to come again',
    'It does not take the message now, and does not say more than that.',
    "Send the email again later; if it goes on, ask the recipient's postmaster.",
  ),
  receiverTrouble: nobodyMust(
    'receiver',
    'The receiving server has trouble of its own',
    'Something behind it does not work: its disk, its directory, its settings.',
    "Send the email again later, or tell the recipient's postmaster what the server said.",
  ),
  receiverStorage: nobodyMust(
    'receiver',
    'The receiving server is out of room',
    'The whole system has no room, not only this mailbox.',
    "Send the email again later, or tell the recipient's postmaster.",
  ),
  unreachable: nobodyMust(
    'receiver',
    'The server could not be reached',
    'No connection to a mail server of this domain came about, or it broke off.',
    'Check the domain for a spelling mistake, and send the email again later.',
  ),
  dnsTrouble: nobodyMust(
    'receiver',
    'The mail servers of the domain could not be looked up',
    'The DNS of the domain did not answer, or answered something that makes no sense.',
    'Check the domain for a spelling mistake; its owner has to mend its DNS.',
  ),
  receiverTls: someoneMust(
    'receiver',
    'No encrypted connection came about',
    'One side insists on encryption, and the other has none that is good enough.',
    "Tell the recipient's postmaster; the dialogue shows at which step it ended.",
    'We try again by ourselves. If it stays so, tell the postmaster of the recipient.',
  ),
  loop: someoneMust(
    'receiver',
    'The mail goes round in a circle',
    'Servers of the recipient forward the message to each other without an end.',
    "Tell the recipient's postmaster: a forwarding has to be mended there.",
  ),
  receiverGaveUp: someoneMust(
    'receiver',
    'The servers of the recipient gave up',
    'A server had taken the message, tried for as long as it tries, and could not pass it on.',
    "Send the email again later, or tell the recipient's postmaster.",
    'Nothing needs to be done: the server that has the message is still trying.',
  ),
  relayDenied: someoneMust(
    'receiver',
    'The server is not responsible for this domain',
    'The DNS of the domain sends mail to a server that does not take it.',
    'Check the domain for a spelling mistake; otherwise its owner has to correct the MX records.',
    'We try again by ourselves. If it stays so, the owner of the domain has to correct its MX records.',
  ),
  policy: someoneMust(
    'receiver',
    'A rule of the receiving server refuses the mail',
    'Those who run the server have a rule against it, and the reply does not say which.',
    "Ask the recipient's postmaster, with the reply as it stands here.",
    'We try again by ourselves. If it stays so, ask the postmaster of the recipient.',
  ),
  tooManyRecipients: nobodyMust(
    'receiver',
    'Too many recipients at once',
    'The server takes fewer recipients than it was given.',
    'Send the email again: each recipient gets a message of their own.',
  ),

  // About the domain that the email is from.
  notAuthenticated: someoneMust(
    'sender',
    'The sender could not be proven',
    'SPF, DKIM or DMARC did not prove that the email may come from this domain.',
    'Look at the page of your sending domain, and publish every record that it names as missing.',
  ),
  senderUnknown: someoneMust(
    'sender',
    'The sender address is not accepted',
    'The server refuses the address that the email is from: it does not exist, or takes no answers.',
    'Use a sender that exists, and check that its domain has an MX record.',
  ),
  senderDomainListed: someoneMust(
    'sender',
    'Your domain has a bad reputation',
    'The domain that the email is from, or one in its links, is on a list of bad senders.',
    'Find out why it was listed, end it, and ask the operator of the list to remove it.',
  ),
  bulkRules: someoneMust(
    'sender',
    'The rules for large senders are not met',
    'This provider demands more of those who send much: proven identity, easy unsubscribing, few complaints.',
    'Look at the page of your sending domain and at your rate of complaints.',
  ),

  // About the message.
  spam: someoneMust(
    'content',
    'The message was called spam',
    'A filter of the server judged the message as unwanted.',
    'Change what the message says and to whom it goes before you send it again; prove that the recipient asked for it.',
    'We try again by ourselves. If it stays so, change the message.',
  ),
  virus: someoneMust(
    'content',
    'The message was called dangerous',
    'A scanner found a virus, or something that looks like one.',
    'Check the attachments and links; send files as a link to a page of yours.',
  ),
  attachment: someoneMust(
    'content',
    'A file in the message is not accepted',
    'The server refuses attachments of this kind.',
    'Send the file as a link, or in another format.',
  ),
  badLink: someoneMust(
    'content',
    'A link in the message is not accepted',
    'A link leads to a domain that the server does not trust.',
    'Remove links to domains that are not yours, and shortened links.',
  ),
  tooLarge: someoneMust(
    'content',
    'The message is too large',
    'The server takes only smaller messages.',
    'Make the attachments smaller, or send a link to them.',
  ),
  malformed: someoneMust(
    'content',
    'The form of the message is not accepted',
    'A header field, a character set or the structure of the message is not what the server expects.',
    'Check your own header fields and the HTML; the reply often names the part.',
  ),
  contentRefused: someoneMust(
    'content',
    'The content is not accepted',
    'The server refused the message for what is in it, and did not say for which part.',
    'Try it with less: without attachments, with fewer links, with plain words.',
  ),
  quarantined: someoneMust(
    'content',
    'The message was put aside',
    'The server took the message and holds it back; the recipient does not see it in the inbox.',
    'Ask the recipient to look into the quarantine, and to mark the sender as wanted.',
  ),
  needsUtf8: someoneMust(
    'content',
    'The server cannot take these characters',
    'The address or the content has characters that this server does not support.',
    'Use an address in plain letters, if the recipient has one.',
  ),

  // About this installation.
  addressListed: someoneMust(
    'us',
    'Our address is on a blocklist',
    'The IP address that this mail is sent from is on a list that the server asks.',
    'The operator has to find out why, end it, and ask for the removal at the page that the reply names.',
  ),
  addressRefused: someoneMust(
    'us',
    'Our address is not welcome',
    'The server takes no mail from the IP address, or the network, that this mail is sent from.',
    'The operator has to ask the provider for admission, or send by a relay.',
  ),
  addressReputation: someoneMust(
    'us',
    'Our address has a poor reputation',
    'The provider has seen too little, or too much unwanted mail from this IP address.',
    'Send less for some days, only to people who open your mail; the operator can register with the provider.',
    'We slow down and try again by ourselves. Send less for some days, and only to people who open your mail.',
  ),
  noReverseDns: someoneMust(
    'us',
    'Our address has no proper name',
    'The reverse DNS (PTR) of the IP address that this mail is sent from is missing, or does not lead back to it.',
    'The operator has to set the PTR record at the hosting provider.',
  ),
  badHello: someoneMust(
    'us',
    'The name of our server is not accepted',
    'The server does not believe the name that ours greets it with.',
    'The operator has to set the host name to one that exists and leads to our address.',
  ),
  rate: nobodyMust(
    'us',
    'We are sending too fast for this provider',
    'The server limits how much it takes from us at a time.',
    'Send the email again later.',
    'Nothing needs to be done: we slow down for this provider and try again by ourselves.',
  ),
  relayAccount: someoneMust(
    'us',
    'We are not allowed to send through this server',
    'The server does not accept our account, our password or our right to send through it.',
    'The operator has to look at the account with the relay, if there is one: who may send, how much, is it paid.',
  ),
  protocol: someoneMust(
    'us',
    'The servers did not understand each other',
    'The server rejected a command of ours, or its order.',
    'Open the dialogue, and report it to the operator if it happens again.',
    'We try again by ourselves. Open the dialogue if it happens again.',
  ),
  unconfirmed: nobodyMust(
    'receiver',
    'The server took the message but did not confirm it',
    'The connection broke off before the last answer; the message may have arrived.',
    'Ask the recipient before you send it again: they may have it already.',
    'We try again by ourselves; the recipient may get the message twice.',
  ),
  forbiddenAddress: someoneMust(
    'receiver',
    'The domain leads to an address that is not public',
    'The mail server of this domain has an address inside a private network, where no mail may be sent to.',
    'Check the domain for a spelling mistake; its owner has to correct the DNS.',
  ),
} as const satisfies Record<string, Words>

export type ExplanationName = keyof typeof explanations

/** What is left to say where no rule knows more than the class of the reply. */
export const classExplanations = {
  recipient: someoneMust(
    'recipient',
    'The address does not work',
    `The server refused the address for good. ${SUPPRESSED}`,
    'Ask the person for another address.',
  ),
  spam: explanations.spam,
  quarantine: explanations.quarantined,
  quarantined: explanations.quarantined,
  full: explanations.mailboxFull,
  content: explanations.contentRefused,
  unknown: someoneMust(
    'unknown',
    'The server refused and gave no reason that we know',
    'The server gave no reason that we know. Its reply is shown as it is.',
    "Send it again later, or ask the recipient's postmaster with the reply.",
  ),
  temporary: nobodyMust(
    'unknown',
    'The server said "not now" and gave no reason that we know',
    'The server gave no reason that we know. Its reply is shown as it is.',
    "Send it again later, or ask the recipient's postmaster with the reply.",
  ),
} as const satisfies Record<string, Words>
