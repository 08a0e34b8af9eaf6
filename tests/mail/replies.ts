/** Replies as servers write them, and what they mean: `provider | class | reply`; a dash where nobody is known. */
export const replies = `
- | recipient | 550 5.1.1 <anna@example.net>: Recipient address rejected: User unknown in virtual mailbox table
- | recipient | 550 5.1.1 <anna@example.net>: Recipient address rejected: User unknown in local recipient table
- | recipient | 550 5.1.1 User unknown
- | recipient | 550 5.1.1 Mailbox does not exist
- | recipient | 550 5.1.1 No such user here
- | recipient | 550 No such user (anna@example.net)
- | recipient | 550 Unknown user
- | recipient | 550 Unrouteable address
- | recipient | 550 Requested action not taken: mailbox unavailable
- | recipient | 550 5.2.1 This mailbox has been disabled
- | recipient | 550 5.2.1 Mailbox disabled for this recipient
- | recipient | 550 5.1.3 Bad destination mailbox address syntax
- | recipient | 550 5.1.2 Bad destination system: no such domain
- | recipient | 551 User not local; please try <anna@example.org>
- | recipient | 553 5.1.6 Mailbox has moved, no forwarding address
- | recipient | 556 5.1.10 Domain does not accept mail
- | recipient | 521 mail.example.net does not accept mail
- | recipient | 550 5.7.17 Mailbox owner has changed
- | recipient | 554 anna@example.net: recipient address does not exist
- | recipient | 550 The account anna@example.net is inactive
- | recipient | 550 5.0.0 anna@example.net... User unknown
- | recipient | 553 sorry, no mailbox here by that name (#5.7.1)
- | recipient | 550 #5.1.0 Address rejected.
- | recipient | 550 5.4.1 [anna@example.net]: Recipient address rejected: Access denied. AS(201806281)
- | recipient | 550 Account disabled
- | recipient | 550 Invalid recipient anna@example.net (Mode: normal)
- | recipient | 550 Mailbox not found
- | recipient | 550 5.7.1 No such user!
- | recipient | 550 Message was not accepted -- invalid mailbox. Local mailbox anna@example.net is unavailable: user not found
- | recipient | 550 5.1.1 Empfaenger unbekannt
- | recipient | 550 Adresse d au moins un destinataire invalide: utilisateur inconnu
- | recipient | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
- | recipient | 550 5.1.1 spam@example.net: user unknown
- | recipient | 550 <virus@blacklist.example>: no such user here
- | recipient | 550 5.2.0 The email address you entered couldn't be found: unknown recipient
- | recipient | 550-5.1.1 Your message could not be delivered. 550 5.1.1 The address is no longer active
- | recipient | 550 That user no longer works here
- | recipient | 554 delivery error: This user doesn't exist
google | recipient | 550-5.1.1 The email account that you tried to reach does not exist. 550-5.1.1 Please try double-checking the recipient's email address 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser x1 - gsmtp
google | recipient | 550 5.2.1 The email account that you tried to reach is disabled. https://support.google.com/mail/?p=DisabledUser - gsmtp
google | recipient | 550 5.2.1 The email account that you tried to reach is inactive. - gsmtp
microsoft | recipient | 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [AM6EUR05FT003.eop-eur05.prod.protection.outlook.com]
microsoft | recipient | 550 5.4.1 Recipient address rejected: Access denied. [BN8NAM12FT045.eop-nam12.prod.protection.outlook.com]
microsoft | recipient | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.net not found by SMTP address lookup
microsoft | recipient | 550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found
yahoo | recipient | 554 delivery error: dd This user doesn't have a yahoo.com account (anna@yahoo.com) [0] - mta1234.mail.gq1.yahoo.com
yahoo | recipient | 554 delivery error: dd Sorry your message to anna@yahoo.com cannot be delivered. This account has been disabled or discontinued [#102]. - mta1
yahoo | recipient | 552 1 Requested mail action aborted, mailbox not found
apple | recipient | 550 5.1.1 <anna@icloud.com>: user does not exist
comcast | recipient | 550 5.1.1 Not our Customer
united-internet | recipient | 550 Requested action not taken: mailbox unavailable For explanation visit https://postmaster.gmx.net/en/error-messages
mimecast | recipient | 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550
- | recipient | 550 5.4.4 Name service error for name=. type=A: Host found but no data record of requested type
- | recipient | 550 5.4.310 DNS domain nowhere.example does not exist [Message=InfoDomainNonexistent]
- | recipient | 554 5.4.4 (unable to route: no mail hosts for domain)
- | recipient | 550 DNS type 'mx' lookup of nowhere.example responded with code NXDOMAIN
- | recipient | 550 Mail server for "nowhere.example" unknown
- | recipient | 550 all host address lookups failed permanently
- | recipient | 550 5.4.4 Illegal host/domain name found
- | recipient | 550 We do not have this user
- | recipient | 550 no such mail drop defined
- | recipient | 550 Requested action not taken: mailbox not available
- | recipient | 550 could not find the recipient
- | recipient | 550 <anna@example.net>: Recipient rejected.
- | recipient | 550 sorry, nobody of that name (#5.1.1)
- | recipient | 550 Utente sconosciuto
- | recipient | 550 Użytkownik nie istnieje
- | recipient | 550 Пользователь не найден
- | recipient | 550 宛先のユーザは見つかりません
laposte | recipient | 550 5.5.0 Adresse invalide. LPN007_416
laposte | infrastructure | 550 5.5.0 Service refuse. LPN001_108
- | infrastructure | 550 5.7.1 <anna@example.net>: Recipient address rejected: see our policy
- | infrastructure | 554 5.7.1 Recipient address rejected
- | full | 550 5.1.1 <anna@example.net>: mailbox is full
- | full | 552 sorry, that mailbox is over quota (#5.1.1)
- | spam | 550 5.7.1 Message rejected as spam by Content Filtering.
- | spam | 554 5.7.1 Message identified as SPAM
- | spam | 554 5.7.0 Reject, id=01234-05 - spam
- | spam | 550 This message scored 12.3 spam points.
- | spam | 550 High probability of spam
- | spam | 554 5.7.1 Blocked by SpamAssassin
- | spam | 554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc 1234567890
- | spam | 550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=abc
- | spam | 554 5.7.1 The message was rejected because it contains prohibited spam content
- | spam | 550 5.7.1 Your message was detected as unsolicited bulk email
- | spam | 554 Junk mail rejected
- | spam | 552 spam score exceeded threshold
google | spam | 550-5.7.1 [192.0.2.1 12] Our system has detected that this message is 550-5.7.1 likely unsolicited mail. To reduce the amount of spam sent to Gmail, 550-5.7.1 this message has been blocked. - gsmtp
orange | spam | 550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506]
netease | spam | 554 DT:SPM 163 mx23,abc please see http://mail.163.com/help/help_spam_16.htm
mimecast | spam | 554 Email rejected due to security policies - MCSpamSignature.x.3
- | quarantine | 550 5.7.1 Message has been quarantined
- | quarantine | 554 5.7.1 Delivery not authorized, message quarantined by administrator policy
- | quarantined | 250 2.6.0 Message accepted and placed in quarantine
- | quarantined | 250 2.0.0 Ok, quarantined as spam
- | accepted | 250 2.0.0 Ok: queued as 4XyZ12
- | accepted | 250 OK id=1abcde-000000-00
- | accepted | 251 User not local; will forward
- | full | 552 5.2.2 Mailbox full
- | full | 550 5.2.2 <anna@example.net>: mailbox is over quota
- | full | 552 Requested mail action aborted: exceeded storage allocation
- | full | 554 anna@example.net: mailbox full
- | full | 550 Quota exceeded (mailbox for user is full)
- | full | 550 Mailbox quota exceeded
google | full | 552 5.2.2 The email account that you tried to reach is over quota. - gsmtp
apple | full | 552 5.2.2 <anna@icloud.com>: user is over quota
- | content | 552 5.3.4 Message size exceeds fixed limit
- | content | 552 Message size exceeds maximum permitted
- | content | 550 5.2.3 Message too large for this recipient
- | content | 554 5.6.0 Reject, id=01234-06 - BAD_HEADER
- | content | 554 5.7.0 Reject, id=01234-07 - INFECTED: Eicar-Test-Signature
- | content | 550 Message contains a virus
- | content | 552 5.7.0 Attachments of this type are not allowed
- | content | 550 5.6.7 Address requires SMTPUTF8
- | content | 554 5.6.1 Body type not supported
- | content | 554 5.7.1 Rejected: executable files are not accepted here
google | content | 552-5.7.0 This message was blocked because its content presents a potential 552-5.7.0 security issue. - gsmtp
- | infrastructure | 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1
- | infrastructure | 550 5.7.1 Blocked - see https://www.spamcop.net/bl.shtml?192.0.2.1
- | infrastructure | 550 rejected because 192.0.2.1 is in a black list at b.barracudacentral.org
- | infrastructure | 550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]
- | infrastructure | 550 5.7.25 The sending IP does not have a PTR record
- | infrastructure | 554 Transaction failed. Reject due to policy restrictions, bad DNS PTR resource record
- | infrastructure | 550 5.7.23 SPF validation failed for the domain
- | infrastructure | 550 5.7.1 <anna@example.net>: Recipient address rejected: Please see http://www.open-spf.org/Why?id=x SPF fail
- | infrastructure | 550 5.7.1 Email rejected per DMARC policy for example.org
- | infrastructure | 550 5.7.20 No passing DKIM signature found
- | infrastructure | 550 5.7.26 Unauthenticated email is not accepted from this domain
- | infrastructure | 554 5.7.1 <anna@example.net>: Relay access denied
- | infrastructure | 550 relay not permitted
- | infrastructure | 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
- | infrastructure | 550 5.7.1 Unable to relay
- | infrastructure | 550 Administrative prohibition
- | infrastructure | 550 Sender verify failed
- | infrastructure | 550-Verification failed for <b@example.org> 550-No Such User Here 550 Sender verify failed
- | infrastructure | 553 5.1.8 Domain of sender address b@example.org does not exist
- | infrastructure | 550 5.1.7 Invalid sender address
- | infrastructure | 501 5.5.4 Syntax error in parameters
- | infrastructure | 503 5.5.1 Bad sequence of commands
- | infrastructure | 554 5.4.6 Too many hops
- | infrastructure | 554 5.3.0 Other mail system problem
- | infrastructure | 550 5.7.1 Access denied
- | infrastructure | 554 Transaction failed
- | infrastructure | 550 Rejected
- | infrastructure | 550 5.7.1 Your IP has been blocked for sending too much spam
- | infrastructure | 550 5.7.1 We receive too much spam from your network
- | infrastructure | 554-mail.example.net 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation
- | infrastructure | 554 5.7.1 Daily sending quota exceeded
- | infrastructure | 550 5.7.1 Too many messages from your address, rate limit
- | infrastructure | 550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy
- | infrastructure | 550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required
- | infrastructure | 554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1
- | infrastructure | 550 Ip frequency limited
- | infrastructure | 599 something that nobody has ever said
google | infrastructure | 550-5.7.25 [192.0.2.1] The IP address sending this message does not have a PTR record - gsmtp
google | infrastructure | 550-5.7.26 This mail has been blocked because the sender is unauthenticated. - gsmtp
google | infrastructure | 550-5.7.27 SPF check did not pass - gsmtp
google | infrastructure | 550-5.7.28 [192.0.2.1 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address. - gsmtp
google | infrastructure | 550-5.7.29 This mail was not sent over TLS - gsmtp
google | infrastructure | 550-5.7.1 [192.0.2.1] Our system has detected an unusual rate of unsolicited mail originating from your IP address - gsmtp
google | infrastructure | 550-5.7.1 [192.0.2.1] Gmail has detected that this message is likely suspicious due to the very low reputation of the sending domain. - gsmtp
google | infrastructure | 550-5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers. - gsmtp
google | infrastructure | 550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. - gsmtp
microsoft | infrastructure | 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).
microsoft | infrastructure | 550 5.7.515 Access denied, sending domain example.org does not meet the required authentication level.
microsoft | infrastructure | 550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal visit https://sender.office.com/
microsoft | infrastructure | 550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification
microsoft | infrastructure | 550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP
yahoo | infrastructure | 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list
yahoo | infrastructure | 553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed.
yahoo | infrastructure | 554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes
apple | infrastructure | 550 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137
apple | infrastructure | 554 5.7.1 [HM08] Message rejected due to local policy.
comcast | infrastructure | 554 resimta-po-01v.sys.comcast.net comcast 192.0.2.1 Comcast block for spam. BL004001
united-internet | infrastructure | 554-gmx.net (mxgmx105) Nemesis ESMTP Service not available 554-No SMTP service 554 Bad DNS PTR resource record.
orange | infrastructure | 550 5.7.1 Service refuse. Veuillez essayer plus tard. OFR004_104 [104]
- | temporary | 421 4.7.0 Try again later, closing connection.
- | temporary | 450 4.2.0 Greylisted, try again in 300 seconds
- | temporary | 451 4.3.0 Temporary lookup failure
- | temporary | 452 4.2.2 Mailbox full
- | temporary | 450 4.1.1 User unknown
- | temporary | 421 4.7.1 Message looks like spam, come back later
- | temporary | 454 4.7.1 Relay access denied
google | temporary | 421-4.7.28 Our system has detected an unusual rate of unsolicited mail - gsmtp
microsoft | temporary | 451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.
yahoo | temporary | 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints
`
  .trim()
  .split('\n')
  .map((line) => {
    const [provider = '', meaning = '', reply = ''] = line.split(' | ')
    return { provider: provider === '-' ? undefined : provider, meaning, reply }
  })
