/**
 * What receiving servers answer, in the shape of Postfix, Exim, qmail, sendmail, OpenSMTPD, Exchange and Microsoft 365, Gmail, Yahoo, GMX,
 * Domino, gateways and the providers of many countries, with what each answer says: its class, written from its words before there was a
 * rule. `diagnosis-frames.fixture.ts` makes the answer of a dialogue, a delivery report, a letter and a notification of a provider of each.
 */
import { createHash } from 'node:crypto';
import type { DiagnosisClass } from '../../base/kernel/enums.ts';

/** Where the answer was given: to the recipient's address, to the sender's, or to the end of the message. */
export type AnsweredTo = 'recipient' | 'sender' | 'message';

export interface Answer {
  expected: DiagnosisClass;
  to: AnsweredTo;
  text: string;
}

/** One answer per line; those that begin with `^` were given to MAIL FROM, with `~` to the end of the message. */
const answers: Record<DiagnosisClass, string> = {
  no_mailbox: `
550 5.1.1 <reader@people.example>: Recipient address rejected: User unknown in virtual mailbox table
550 5.1.1 <reader@people.example>: Recipient address rejected: User unknown in local recipient table
550 5.1.1 <reader@people.example>: Recipient address rejected: User unknown in relay recipient table
550 5.1.1 <reader@people.example>: Recipient address rejected: undeliverable address: host mx2.people.example[192.0.2.9] said: 550 5.1.1 unknown user (in reply to RCPT TO command)
550 <reader@people.example>: Recipient address rejected: User unknown
550 5.1.0 <reader@people.example>: Recipient address rejected: User unknown in virtual alias table
550 5.7.1 <reader@people.example>: Recipient address rejected: user reader@people.example does not exist
550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM5EUR02FT004.eop-EUR02.prod.protection.outlook.com]
550 5.4.1 [reader@people.example]: Recipient address rejected: Access denied [DB3EUR04FT012.eop-eur04.prod.protection.outlook.com]
550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient reader@people.example not found by SMTP address lookup
550 5.1.1 RESOLVER.ADR.RecipNotFound; not found
550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found
550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 Invalid Recipient
550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [HE1EUR04FT018.eop-eur04.prod.protection.outlook.com]
550 Requested action not taken: mailbox unavailable
550 5.1.1 Requested action not taken: mailbox unavailable
550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces. Learn more at https://support.example/mail/?p=NoSuchUser 4si1 - gsmtp
550 5.1.1 The email account that you tried to reach does not exist
554 delivery error: dd This user doesn't have a yahoo.example account (reader@people.example) [0] - mta1219.mail.example
554 delivery error: dd Requested mail action aborted, mailbox not found - mta4057.mail.example
552 1 Requested mail action aborted, mailbox not found
550 relaying to <reader@people.example> prohibited by administrator: no such user
550 5.1.1 <reader@people.example>... User unknown
550 <reader@people.example>... User unknown
553 5.3.0 <reader@people.example>... No such user here
553 5.3.0 <reader@people.example>... Addressee unknown, relay=[192.0.2.10]
550 No such user here
550 No Such User Here"
550 no such address here
550-No such person at this address. 550 Unknown user
550 Unrouteable address
550 unknown user
550 user unknown
550-Callout verification failed: 550 550 5.1.1 <reader@people.example>: Recipient address rejected: User unknown
550 Sorry, no mailbox here by that name. (#5.1.1)
550 sorry, no mailbox here by that name (#5.1.1 - chkuser)
511 sorry, no mailbox here by that name (#5.1.1 - chkuser)
553 sorry, this recipient is not in my validrcptto list (#5.7.1)
550 5.1.1 User unknown; rejecting
550 5.2.0 reader@people.example No such user
550 Invalid recipient: <reader@people.example>
550 5.1.1 Invalid recipient <reader@people.example> (Mode: normal)
550 5.1.6 Mailbox has moved, no forwarding address available
551 5.1.6 User has moved; please try elsewhere
551 User not local; please try <forward@people.example>
550 Invalid Recipient - https://community.gateway.example/docs/DOC-1369#550 [abc.uk1]
550 5.1.1 Not our Customer
550 5.1.1 unknown or illegal alias: reader@people.example
550 5.1.1 Unknown or illegal user: reader@people.example
550 unknown or illegal alias: reader@people.example
550 5.1.1 <reader@people.example> is not a valid mailbox
550 reader@people.example is not a known user
550 mailbox not found
550 5.5.1 Recipient rejected - mailbox not found
550 #5.1.0 Address rejected.
550 #5.1.0 Address rejected reader@people.example
550 5.1.0 Address rejected.
550 Address reader@people.example unknown
550 permanent failure for one or more recipients (reader@people.example:550 5.1.1 User unknown)
550 [SUSPEND] no such user
554 5.7.1 <reader@people.example>: Recipient address rejected: User unknown
550 5.7.1 No such user!
550 5.7.1 Unknown user reader@people.example
550 Message was not accepted -- invalid mailbox. Local mailbox reader@people.example is unavailable: user not found
550 User not found: reader@people.example
550 Mailbox not found. http://service.mail.example/cgi-bin/help?subtype=1&&id=20022&&no=1000728
550 The recipient may contain a non-existent account, please check the recipient address.
550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_416 [416]
550 5.5.0 Adresse d au moins un destinataire invalide. Invalid recipient. LPN204_416 [416]
550 5.1.1 <reader@people.example> : Adresse inconnue
550 Utilisateur inconnu !
550 5.1.1 Destinatario sconosciuto
550 5.1.1 recipient unknown / nessun utente con questo indirizzo
550 5.1.1 El usuario no existe
550 No existe ese usuario en este servidor
550 5.1.1 Usuario desconocido
550 5.1.1 Caixa postal inexistente
550 5.1.1 Empfaenger unbekannt
550 Benutzer unbekannt: reader@people.example
550 5.1.1 Gebruiker onbekend
550 5.1.1 Nie ma takiego uzytkownika
550 Пользователь не найден
550 5.1.1 宛先のメールアドレスが存在しません
550 用户不存在
550 5.1.1 User does not exist - <reader@people.example>
553 5.1.3 Invalid email recipient
501 5.1.3 Bad recipient address syntax
553 5.1.3 <reader@people.example>... User address required
550 5.1.1 <reader@people.example>: user does not exist
550 5.1.1 account not available
550 account is not available
550 Account reader@people.example does not exist
550 5.1.1 no account by that name here
550 5.1.1 Mailbox does not exist!
550-5.1.1 Mailbox for reader@people.example does not exist 550 5.1.1 here
550 cuda_nsu No such user (reader@people.example)
550 5.1.1 <reader@people.example>: Email address could not be found, or was misspelled (G8)
550 5.1.1 RCP-P1 https://facebook.example/postmaster/response_codes?ip=192.0.2.10#RCP-P1 Attempted to send to an invalid recipient
550 unknown recipient <reader@people.example>
554 no valid recipients, bye
550 <reader@people.example> No such user (bytecode)
554 5.1.1 Error: 554 unknown address
550 5.1.1 User <reader@people.example> not listed in Domino Directory
550 reader@people.example... No such user
550 reader is not listed in Public Name & Address Book
554 Recipient email address rejected: mailbox name unknown
550 5.7.17 Mailbox owner has changed
550 5.1.1 sorry, your envelope recipient is in my badrcptto list
550 5.1.1 #Address rejected: no such address
550 Not a valid recipient
550 5.1.1 Boite du destinataire archivee. Archived recipient. OFR_418
550 5.1.1 This account has been disabled or discontinued
550 5.1.1 Invalid user
~550 5.1.1 <reader@people.example> User unknown
~554 5.1.1 recipient does not exist
550 Address not present in directory
550 5.1.1 user does not exist, mail cannot be forwarded`,

  no_domain: `
550 5.1.2 <reader@people.example>: Recipient address rejected: Domain not found
550 5.1.2 Bad destination mailbox domain
550 Host unknown
550 5.1.2 <reader@people.example>... Host unknown (Name server: people.example: host not found)
556 5.1.10 Recipient address has null MX
556 people.example does not accept mail
556 5.1.10 <reader@people.example>: Recipient address rejected: Domain people.example does not accept mail (nullMX)
550 5.1.0 Domain people.example does not accept mail (nullMX)
521 people.example does not accept mail
521 5.3.2 mail server does not accept mail
550 5.4.310 DNS domain people.example does not exist [Message=InfoDomainNonexistent]
550 5.7.18 Domain owner has changed
550 unrouteable mail domain "people.example"
550 The mail server could not deliver mail to reader@people.example. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries.
553 5.1.2 Unknown destination domain
550 No such domain at this location
550 5.1.2 <reader@people.example>... Name server: no such domain
550 5.1.2 Domaine inconnu
550 <reader@people.example>: recipient domain must exist
550 domain people.example does not exist`,

  closed: `
550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.example/mail/?p=DisabledUser
550-5.2.1 The email account that you tried to reach is inactive. 550 5.2.1 - gsmtp
554 30 Sorry, your message to reader@people.example cannot be delivered. This mailbox is disabled (554.30).
550 5.2.1 <reader@people.example>: mailbox disabled, not accepting messages
550 5.2.1 Mailbox unavailable
550 5.2.1 account disabled
550 5.7.13 User account disabled
550 Account disabled
550 account is disabled
550 mailbox is inactive
550 This account is not active
550 This address no longer accepts mail.
550 5.2.1 Recipient rejected: mailbox is closed
550 Message was not accepted -- invalid mailbox. Local mailbox reader@people.example is unavailable: account is disabled
550 Message was not accepted -- invalid mailbox. Local mailbox reader@people.example is unavailable: user is terminated
550 User suspended
550 5.2.1 recipient suspend the service
550 This is a deactivated mailbox. http://service.mail.example/cgi-bin/help?subtype=1
550 5.5.0 Boite inactive. Recipient inactive.
550 5.2.1 Konto deaktiviert
550 due to extended inactivity new mail is not currently being accepted for this mailbox
550 Dieses Postfach wurde geschlossen
550 Mailbox is frozen. See http://mail.example
550 5.0.0 mailbox has been closed by its owner
550 invalid/inactive user
550 The account reader@people.example was deleted
554 Mailbox disabled for this recipient`,

  full: `
552 5.2.2 <reader@people.example>: Recipient address rejected: Mailbox is full
552 5.2.2 <reader@people.example>: user is over quota
552-5.2.2 The email account that you tried to reach is over quota. Please direct 552-5.2.2 the recipient to https://support.example/mail/?p=OverQuotaPerm 552 5.2.2 - gsmtp
452-4.2.2 The email account that you tried to reach is over quota. 452 4.2.2 - gsmtp
452-4.2.2 The recipient's inbox is out of storage space. Please direct the 452 4.2.2 recipient to https://support.example/mail/?p=OverQuotaTemp
550 5.2.2 STOREDRV.Deliver: mailbox full
554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; Failed to process message
552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]
554 delivery error: dd Sorry, your message to reader@people.example cannot be delivered. This account is over quota. - mta1.mail.example
552 Message rejected: mailbox quota exceeded
552 5.7.1 mailbox would exceed maximum allowed storage
550 Mailbox quota exceeded
550 User mailbox exceeds allowed size: reader@people.example
550 mailbox for reader@people.example is full
552 Requested mail action aborted: exceeded storage allocation
552 5.2.2 Over quota
552 mailbox over quota. (#5.2.2)
552 sorry, that mailbox is over quota (#5.2.2)
554 5.0.0 Quota exceeded (mailbox for user is full)
550 5.7.1 <reader@people.example>: Recipient address rejected: Mailbox full
450 4.2.2 <reader@people.example>: Recipient address rejected: over quota
452 4.2.2 Mailbox full
452 4.3.1 Insufficient system storage
452 4.1.1 <reader@people.example> mailbox over quota, try later
431 4.3.1 Out of memory or disk space
452 4.3.1 Insufficient system resources (UsedDiskSpace)
552 5.3.1 mail system full
422 The recipient's mailbox has exceeded its storage limit
550 The user's space has been used up. http://service.mail.example
552 Quota exceeded or service disabled
550 5.2.2 Le quota de la boite est depasse
552 Das Postfach ist voll
452 4.2.2 Buzon lleno
552 5.2.2 Casella piena
552 caixa postal cheia
552 5.2.2 Почтовый ящик переполнен
550 maildir over quota
550 error writing message: Disk quota exceeded
550 the message would exceed the quota of the mailbox
~552 5.2.2 This message is larger than the current system limit or the recipient's mailbox is full. Create a shorter message body or remove attachments and try sending it again.
~552 Mailbox limit exceeded
~550 5.0.0 Mail file size exceeds the maximum size allowed for mail delivery; user has too many messages on the server
552 user has exceeded quota, bouncing mail
552 5.2.2 Account is full`,

  unreachable: `
450 4.4.7 delivery temporarily suspended: connect to mx1.people.example[192.0.2.25]:25: Connection timed out
450 4.7.1 <reader@people.example>: Recipient address rejected: Greylisted, see help page
451 4.7.1 Greylisting in action, please come back later
450 4.2.0 <reader@people.example>: Recipient address rejected: Greylisted for 300 seconds
451 4.3.0 <reader@people.example>: Temporary lookup failure
451 4.3.5 Server configuration error
451 4.3.2 Please try again later
421 4.3.2 Service not available, closing transmission channel
421 4.4.2 Connection dropped due to ConnectionReset
451 Temporary local problem - please try later
451 4.7.500 Server busy. Please try again later from [192.0.2.10].
550 5.4.7 message expired
550 4.4.7 QUEUE.Expired; message expired
554 5.4.7 [internal] exceeded max time without delivery
554 5.4.6 Too many hops
554 5.4.14 Hop count exceeded - possible mail loop ATTR1
554 5.4.0 Error: too many hops
554 5.4.6 <reader@people.example>: mail forwarding loop for reader@people.example
550 5.4.6 Hop count exceeded - possible mail loop detected
550 5.4.300 Message expired -> 451 4.7.0 Temporary server error
550 5.4.316 Message expired, connection refused(Socket error code 10061)
554 5.3.5 Local configuration error
554 5.3.0 Internal server error
550 5.4.4 Unable to look up host: temporary failure in name resolution
451 4.4.0 DNS query failed: temporary server failure
450 4.4.312 DNS query failed
554 5.4.0 Connection timed out
421 4.4.1 Connection refused
450 4.1.1 <reader@people.example>: Recipient address rejected: unverified address: connect to mx2.people.example[192.0.2.9]:25: Connection timed out
554 Service currently unavailable
450 Requested mail action not taken: mailbox unavailable
554 Mailbox temporarily unavailable
550 5.0.0 Mailbox temporarily locked, try again
550 retry timeout exceeded
550 all relevant MX records point to non-existent hosts or the server did not respond: retry time not reached for any host after a long failure period
451 4.4.1 No answer from host
421 Too busy, come back later
550 5.4.6 Unusual sending activity detected from your server, sending blocked
450 4.3.2 deferred: system shutting down
554 5.3.2 STOREDRV.Deliver; Missing or bad StoreDriver MDB properties
554 5.3.0 <"|/usr/local/bin/filter">... unknown mailer error 75
451 4.3.0 temporary system problem. Try again later
550 5.7.1 Temporary failure, try again later
554 5.4.4 loop detected, mail loops back to myself`,

  blocked: `
~550 5.7.1 Unfortunately, messages from [192.0.2.10] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140). You can also refer your provider to http://mail.example/mail/troubleshooting.aspx#errors.
550 5.7.1 Unfortunately, messages from [192.0.2.10] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).
550 SC-001 (COL004-MC4F1) Unfortunately, messages from 192.0.2.10 weren't sent. Please contact your Internet service provider since part of their network is on our block list.
^550 DY-001 Mail rejected by mail.example for policy reasons. We generally do not accept email from dynamic IP's as they are not typically used to deliver unauthenticated SMTP email
550 5.7.511 Access denied, banned sender[192.0.2.10]. To request removal from this list please forward this message to delist@messaging.example
550 5.7.606 Access denied, banned sending IP [192.0.2.10]. To request removal from this list please visit https://sender.example/
550 5.7.513 Service unavailable, Client host [192.0.2.10] blocked by $recipientDomain
451 4.7.650 The mail server [192.0.2.10] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.example (S775)
^550 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.example/query/ip/192.0.2.10 (AS16012611)
554 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using zen.spamhaus.example; https://www.spamhaus.example/query/ip/192.0.2.10
554 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using bl.spamcop.example; Blocked - see https://www.spamcop.example/bl.shtml?192.0.2.10
550 5.7.1 Service unavailable; Client host [192.0.2.10] blocked using Trend Micro RBL+. Please see http://www.mail-abuse.example/
550 Rejected because 192.0.2.10 is in a black list at zen.spamhaus.example
550 JunkMail rejected - relay.shop.example [192.0.2.10] is in an RBL: http://www.spamhaus.example
553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.10, because the ip is in Spamhaus's list; see http://postmaster.yahoo.example/550-bl23.html
421 4.7.0 [TSS04] Messages from 192.0.2.10 temporarily deferred due to user complaints - 4.16.55.1; see https://postmaster.verizonmedia.example/error-codes
421 4.7.0 [TSS04] Messages from 192.0.2.10 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1
554 Message not allowed - [PH01] Email not accepted for policy reasons. Sending IP is blocked. Please visit https://postmaster.yahoo.example/
421-4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited. 421 4.7.28 - gsmtp
~550-5.7.28 Our system has detected an unusual rate of unsolicited mail originating from your SPF domain. 550 5.7.28 - gsmtp
~550-5.7.1 Our system has detected that this message is likely suspicious due to the very low reputation of the sending domain. 550 5.7.1 - gsmtp
450-4.2.1 The user you are trying to contact is receiving email at a rate that 450-4.2.1 prevents additional messages from being delivered. Please resend your 450-4.2.1 message at a later time. 450 4.2.1 - gsmtp
550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.
554-mx.people.example 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.
554 5.7.1 Your access to this mail system has been rejected due to poor reputation of a domain used in message transfer
554 IP=192.0.2.10 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.example to clarify.)
554 IP=192.0.2.10 - None/bad reputation. Ask your postmaster for help or to contact tosa@rx.t-online.example for reset.
550 Blocked - see https://support.proofpoint.example/dnsbl-lookup.cgi?ip=192.0.2.10
554 Blocked - see https://ipcheck.proofpoint.example/?ip=192.0.2.10
550 5.7.0 Local Policy Violation: IP 192.0.2.10 blacklisted
550 csi.gateway.example Poor Reputation Sender. - https://community.gateway.example/docs/DOC-1369#550
550 Local CT IP Reputation Policy - https://community.gateway.example/docs/DOC-1369#550
550 permanent failure for one or more recipients (reader@people.example:blocked)
554 Service unavailable; Client host [relay.shop.example] blocked using Barracuda Reputation; http://www.barracudanetworks.example/reputation/?r=1&ip=192.0.2.10
554 5.7.1 Blocked by the reputation filter
550 Ip frequency limited. http://service.mail.example
550 Domain frequency limited
550 Connection frequency limited
421 HL:REP 163 smtp3,DtGowAD3: sender has a bad reputation
554 IP<192.0.2.10> in blacklist
554 HL:IHU in blacklist
550 RBL: 192.0.2.10 is listed
451 too many spams from your IP (192.0.2.10), please visit http://postmaster.free.example/
421 Too many spams from your IP
421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]
554 5.7.1 Connexion refusee. Adresse IP en liste noire. OFR006_102
550 5.2.0 Service refuse. Votre adresse IP a mauvaise reputation. Service refused, bad IP reputation.
421 4.7.1 Too many connections from your host
450 4.7.1 Error: too much mail from 192.0.2.10
452 4.5.3 Too many recipients
421 RP-001 (BAY004-MC1F16) Unfortunately, some messages from 192.0.2.10 weren't sent. Please try again. We have limits for how many messages can be sent per hour and per day.
^550 OU-002 Mail rejected by mail.example for policy reasons. Reasons for rejection may be related to content with spam-like characteristics or IP/domain reputation.
554 5.7.1 The server sending your mail [192.0.2.10] does not meet the reputation thresholds of our server
550 blacklisted by people.example
554 Your IP address 192.0.2.10 is on our denylist
550 Your domain shop.example is blacklisted
^554 5.7.1 <news@shop.example>: Sender address rejected: your domain has been blacklisted
450 4.7.1 sending rate limit exceeded, slow down
421 AUP#Out-1130 too many messages, throttled
550 AUP#CNCT-1000 your IP address is listed as abusive
554 Sua mensagem foi recusada: IP em lista negra
554 Ihre IP-Adresse steht auf einer Blacklist
550 ваш IP-адрес находится в черном списке`,

  authentication: `
~550-5.7.26 Your email has been blocked because the sender is unauthenticated. 550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM. 550-5.7.26 DKIM = did not pass 550 5.7.26 SPF [shop.example] with ip: [192.0.2.10] = did not pass - gsmtp
~550-5.7.26 Unauthenticated email from shop.example is not accepted due to domain's 550-5.7.26 DMARC policy. Please contact the administrator of shop.example domain if 550 5.7.26 this was a legitimate mail. - gsmtp
~550-5.7.1 Unauthenticated email from shop.example is not accepted due to domain's DMARC policy. 550 5.7.1 - gsmtp
550 5.7.509 Access denied, sending domain SHOP.EXAMPLE does not pass DMARC verification and has a DMARC policy of reject.
550 5.7.515 Access denied, sending domain SHOP.EXAMPLE doesn't meet the required authentication level. The sender's domain in the 5322.From address doesn't meet the authentication requirements
550 5.7.23 <reader@people.example>: Recipient address rejected: Message rejected due to: SPF fail - not authorized.
550 5.7.1 <reader@people.example>: Recipient address rejected: Please see http://www.openspf.example/why.html?sender=news%40shop.example
^550 SPF check failed
^550 5.7.1 SPF check: fail
550 MI:SPF 163 mx23, please inspect your SPF settings
~550 5.7.0 DMARC policy violation
~554 5.7.9 Message not accepted for policy reasons. DMARC failed. See https://postmaster.yahoo.example/error-codes
554 Bad DNS PTR resource record. For explanation visit http://postmaster.gmx.example/en/error-messages?ip=192.0.2.10&c=rdns
^550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.10]
450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.10]
550-5.7.25 [192.0.2.10] The IP address sending this message does not have a PTR record setup, or the corresponding forward DNS entry does not point to the sending IP. 550 5.7.25 - gsmtp
550 5.7.1 Fix reverse DNS for 192.0.2.10
550 No reverse DNS entry for your server
504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname
^450 4.7.1 <relay>: Helo command rejected: Host not found
^550 5.7.1 Invalid HELO name (See RFC2821 4.1.1.1)
554 DKIM signature could not be verified
550 5.7.20 No passing DKIM signature found
550 5.7.1 Message rejected due to failed DKIM check
550 Anti-Spoofing policy - Inbound not allowed - https://community.gateway.example/docs/DOC-1369#550
^550 Sender is not authorised by the SPF record of its domain
550 5.7.1 Sender Policy Framework violation
421 4.7.0 Unauthenticated senders not allowed
550 5.7.1 Echec SPF de l'expediteur
550 SPF-Pruefung fehlgeschlagen
554 5.7.1 This message does not have authentication information or fails to pass authentication checks`,

  content: `
~550-5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam, this message has been blocked. 550 5.7.1 - gsmtp
~552-5.7.0 This message was blocked because its content presents a potential security issue. 552 5.7.0 - gsmtp
~554 5.7.1 Message rejected as spam by Content Filtering.
~550 High probability of spam
~550 spam message rejected. Please visit http://help.mail.example/notspam-support
~554 5.7.1 [1] Message rejected under suspicion of SPAM; https://ya.example/1/x
~554 DT:SPM 163 smtp10, message is spam
550 Mail content denied. http://service.mail.example/cgi-bin/help?subtype=1
~550 5.2.0 Mail rejete. Mail rejected. spam detecte OFR_506 [506]
~550 spam detected
~554 5.6.0 Message contains a virus
~550 5.7.1 Virus detected: Eicar-Test-Signature
~554 Email rejected due to security policies - virus signature
~550 This message was classified as SPAM and may not be delivered
550 5.7.1 Message content rejected, UBE, id=12345-01
~554 5.7.0 Reject, id=00123-04 - SPAM
554 5.6.0 Corrupt message content
~550 5.6.1 Media not supported
~550 5.6.0 M2MCVT.StorageError; storage error in content conversion
~554 5.6.3 Conversion required but not supported
~554 rejected due to spam URL in content
~550 Your message contains a suspicious URL
~550 5.7.1 Email cannot be delivered. Reason: Email detected as Spam by spam filters.
~550-The mail server detected your message as spam and 550-has prevented delivery. 550 (CPanel)
~554 5.7.1 The message from (<news@shop.example>) with the subject of (News) matches a profile the Internet community may consider spam. Please revise your message before resending.
~550 Message blocked: banned attachment (exe)
~550 Rejected by header based Anti-Spam policy - https://community.gateway.example/docs/DOC-1369#550
~550 Message has been rejected: it looks like phishing
~550-5.7.1 This message is not RFC 5322 compliant, the issue is: 550 5.7.1 duplicate headers. - gsmtp
~550 5.7.1 Messages missing a valid Message-ID header are not accepted
~554 Transaction failed: spam message not queued
~554 5.7.1 no
~550 Transaction failed, message refused, no such user for spam
~550 5.7.1 Ihre Nachricht wurde als Spam abgelehnt
~550 5.7.1 Mensaje rechazado por contenido de spam
~550 5.7.1 Messaggio rifiutato: sospetto spam
~550 письмо отклонено как спам
~550 5.0.0 message refused`,

  too_large: `
~552 5.3.4 Message size exceeds fixed limit
552 5.3.4 Message too big for system
~552-5.3.4 Your message exceeded Google's message size limits. 552 5.3.4 - gsmtp
550 5.3.4 ROUTING.SizeLimit; message size exceeds fixed maximum size for route
550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient
~552 message too large
~552 Message size exceeds maximum permitted
552 5.3.4 #5.3.4 message header size, or recipient list, exceeds policy limit
~552 Maximum message size exceeded
~550 message exceeds the maximum size of 10 MB
^552 5.0.0 size limit exceeded: message larger than 20971520 bytes
550 5.7.16 Message too big for the specified priority
552 sorry, that message size exceeds my databytes limit (#5.3.4)
552 Taille limite du message atteinte
552 Die Nachricht ist zu gross`,

  policy: `
^550 sender address rejected: domain not found
^450 4.1.8 <news@shop.example>: Sender address rejected: Domain not found
^550 5.1.8 <news@shop.example>: Sender address rejected: Domain not found
^553 5.1.8 <news@shop.example>... Domain of sender address news@shop.example does not exist
^550 5.1.7 Invalid sender address
550-Verification failed for <news@shop.example> 550-No Such User Here 550 Sender verify failed
^550 5.1.0 <news@shop.example>: Sender address rejected: User unknown
^553 5.1.7 <news@shop.example>: sender rejected, mailbox does not exist
^550 5.7.27 Sender address has null MX
550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group
550 5.7.1 RESOLVER.RST.AuthRequired; authentication required
550 5.7.124 RESOLVER.RST.SenderNotInAllowedSenders; sender not in allowed-senders list
550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized
550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send to recipient because the sender isn't on the recipient's list of senders to accept mail from
550 5.7.1 Unable to relay
550 5.7.1 Relaying denied
554 5.7.1 <reader@people.example>: Relay access denied
550 5.7.64 TenantAttribution; Relay Access Denied
550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain
553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
550 relay not permitted
550 5.7.367 Remote server returned not permitted to relay -> 554 5.7.1 Relay access denied
530 5.7.0 Must issue a STARTTLS command first
550 5.7.10 TLS required
530 5.7.1 Client was not authenticated
550 5.7.1 Message rejected due to local policy
554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.example/en-us/HT204137
550 Administrative prohibition
550 administrative prohibition - envelope blocked
550 5.7.1 Recipient not authorized, your IP has not been found on an allow list
550 5.7.1 Access denied
550 5.7.1 Delivery not authorized, message refused
550 5.7.1 Rejected by recipient's own rules: sender not on the allow list
550 Rejected by header based manually Blocked Senders: news@shop.example
550 5.7.1 You are not allowed to post to this mailing list
550 5.7.2 Mailing list expansion prohibited
550 Closed mailing list, posting by members only
554 5.1.8 Email Outgoing Blocked
554 5.7.5 Permanent error evaluating DMARC policy
550 5.7.750 Service unavailable. Client blocked from sending from unregistered domains
550 5.7.1 user refuses to receive this mail
554 refused due to recipient preferences
^550 5.7.1 Your mail domain is not permitted here
^501 5.1.7 Bad sender address syntax
554 5.7.1 The organization rejected your message by a transport rule
550 5.2.4 mailing list expansion problem
550 5.3.3 system not capable of selected features
550 5.7.1 Verzoek geweigerd door beleid: access denied by policy
~554 Email rejected due to security policies
550 5.7.1 Unauthorized to send to this address, no such permission`,

  other: `
550 5.0.0 no
554 rejected
550 no thanks
554 5.0.0 service refused
554 5.5.0 sorry
553 this reply says little
550 Unfortunately this did not work`,
};

const marks: Record<string, AnsweredTo> = { '^': 'sender', '~': 'message' };

export const corpus: readonly Answer[] = Object.entries(answers).flatMap(([expected, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const to = marks[line[0] ?? ''];
      return {
        expected: expected as DiagnosisClass,
        to: to ?? 'recipient',
        text: to ? line.slice(1) : line,
      };
    }),
);

/** Halves of the corpus by the hash of the text: the rules were written with the first, and are judged by the second. */
const isHeldOut = ({ text }: Answer): boolean =>
  (createHash('sha256').update(text).digest()[0] ?? 0) % 2 === 1;
export const builtOn = corpus.filter((answer) => !isHeldOut(answer));
export const heldOut = corpus.filter(isHeldOut);
