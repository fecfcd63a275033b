/*
 * Messages as mail servers, providers and people send them to an envelope sender, in our own words. Each row has the expected class:
 * `hard`, `soft`, `undetermined`, `delayed`, `delivered`, `complaint`, `nothing`, `auto`, `unknown`.
 */
export type Expected =
  | 'hard'
  | 'soft'
  | 'undetermined'
  | 'delayed'
  | 'delivered'
  | 'complaint'
  | 'opt_out'
  | 'nothing'
  | 'auto'
  | 'unknown';

export interface Sample {
  name: string;
  expected: Expected;
  envelopeFrom: string;
  raw: string;
}

const lines = (...all: string[]): string => all.join('\r\n');

interface ReportParts {
  type: string;
  text?: string;
  fields: string[];
  original?: string;
  from?: string;
  partType?: string;
}

const original = lines(
  'From: Shop <news@shop.example>',
  'To: reader@people.example',
  'Subject: Your account is full of offers',
  '',
  'No such user can resist: try again later!',
);

/** A `multipart/report` (RFC 6522). */
const report = ({
  type,
  text = 'A report about an email.',
  fields,
  from,
  partType,
  ...rest
}: ReportParts): string =>
  lines(
    `From: ${from ?? 'Mail Delivery System <MAILER-DAEMON@mx.people.example>'}`,
    'Subject: Report',
    'Message-ID: <1@mx.people.example>',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="=_part"`,
    '',
    '--=_part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '--=_part',
    `Content-Type: ${partType ?? `message/${type}`}`,
    '',
    ...fields,
    '--=_part',
    'Content-Type: message/rfc822',
    '',
    rest.original ?? original,
    '--=_part--',
    '',
  );

const dsn = (...fields: string[]): string =>
  report({
    type: 'delivery-status',
    fields: [
      'Reporting-MTA: dns; mx.people.example',
      '',
      'Final-Recipient: rfc822; reader@people.example',
      ...fields,
      '',
    ],
  });

/** Action, status, and the reply of the server that was quoted; `-` leaves a field out. */
const statuses: [Expected, action: string, status: string, diagnosis: string][] = [
  [
    'hard',
    'failed',
    '5.1.1',
    'smtp; 550 5.1.1 <reader@people.example>: Recipient address rejected: User unknown in virtual mailbox table',
  ],
  ['hard', 'failed', '5.1.1', 'smtp;550-5.1.1 The email account that you tried to reach does not exist'],
  [
    'hard',
    'failed',
    '5.1.10',
    'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  ],
  ['hard', 'failed', '5.1.0', 'smtp; 550 requested action not taken: mailbox unavailable'],
  ['hard', 'failed', '5.1.2', 'dns; host or domain name not found: no MX, no A'],
  ['hard', 'failed', '5.1.3', 'smtp; 553 5.1.3 bad recipient address syntax'],
  ['hard', 'failed', '5.1.6', 'smtp; 551 5.1.6 recipient has moved'],
  ['hard', 'failed', '5.2.0', 'smtp; 554 delivery error: this user has no account'],
  ['hard', 'failed', '5.2.1', 'smtp; 550 5.2.1 The mailbox is disabled'],
  ['soft', 'failed', '5.2.2', 'smtp; 552 5.2.2 The mailbox is over quota'],
  ['undetermined', 'failed', '5.2.3', 'smtp; 552 5.2.3 message exceeds the limit of the mailbox'],
  ['soft', 'failed', '5.3.0', 'smtp; 554 5.3.0 unspecified failure of the system'],
  ['undetermined', 'failed', '5.3.4', 'smtp; 552 5.3.4 message too big for system'],
  ['hard', 'failed', '5.4.1', 'smtp;550 5.4.1 Recipient address rejected: Access denied'],
  ['soft', 'failed', '5.4.4', 'X-Postfix; unable to look up host people.example'],
  ['soft', 'failed', '5.4.6', 'smtp; 554 5.4.6 too many hops'],
  ['soft', 'failed', '5.4.14', 'smtp;554 5.4.14 hop count exceeded - possible mail loop'],
  ['hard', 'failed', '5.5.0', 'smtp; 550 user not local'],
  ['undetermined', 'failed', '5.6.1', 'smtp; 554 5.6.1 media not supported'],
  ['undetermined', 'failed', '5.7.1', 'smtp; 554 5.7.1 message refused by policy'],
  ['undetermined', 'failed', '5.7.1', 'smtp; 550 5.7.1 relaying denied'],
  [
    'undetermined',
    'failed',
    '5.7.26',
    'smtp; 550-5.7.26 this mail has been blocked because the sender is unauthenticated',
  ],
  [
    'undetermined',
    'failed',
    '5.7.509',
    'smtp;550 5.7.509 Access denied, sending domain does not pass DMARC verification',
  ],
  ['undetermined', 'failed', '5.7.133', 'smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup'],
  ['undetermined', 'failed', '5.0.0', 'smtp; 550 administrative prohibition'],
  ['undetermined', 'Failed', '5.0.0 (permanent failure)', '-'],
  ['hard', 'failed', '5.1.1 (bad destination mailbox address)', 'smtp; 550 no thanks'],
  ['hard', 'FAILED', '5.1.1', '-'],
  ['soft', 'failed (gave up)', '5.4.7', '-'],
  ['hard', 'failed', '-', 'smtp; 550 No such user here'],
  ['undetermined', 'failed', '-', 'SMTP; 554 rejected'],
  ['soft', 'failed', '4.2.2', 'smtp; 452 4.2.2 The email account is over quota'],
  ['soft', 'failed', '4.2.1', 'smtp; 450 4.2.1 receiving mail at a rate that prevents additional messages'],
  ['soft', 'failed', '4.2.0', 'smtp; 451 4.2.0 mailbox busy'],
  ['soft', 'failed', '4.3.0', 'smtp; 451 4.3.0 temporary system problem'],
  ['soft', 'failed', '4.3.1', 'smtp; 452 4.3.1 insufficient system storage'],
  ['soft', 'failed', '4.3.2', 'smtp; 421 4.3.2 service not available, closing channel'],
  ['soft', 'failed', '4.4.1', 'X-Postfix; connect to mx.people.example[192.0.2.7]:25: Connection timed out'],
  ['soft', 'failed', '4.4.2', 'X-Postfix; lost connection while sending end of data'],
  ['soft', 'failed', '4.4.3', 'dns; host name lookup failed: try again'],
  ['soft', 'failed', '4.4.7', 'smtp; 550 4.4.7 QUEUE.Expired; message expired'],
  ['soft', 'failed', '4.5.3', 'smtp; 452 4.5.3 too many recipients'],
  ['soft', 'failed', '4.7.0', 'smtp; 421 4.7.0 unusual rate of unsolicited mail'],
  ['soft', 'failed', '4.7.1', 'smtp; 451 4.7.1 greylisted, come back later'],
  ['soft', 'failed', '4.7.500', 'smtp;451 4.7.500 Server busy. Please try again later'],
  ['soft', 'failed', '4.1.8', 'smtp; 450 4.1.8 sender address rejected: domain not found'],
  ['soft', 'failed', '4.0.0', '-'],
  ['soft', 'failed', '-', 'smtp; 451 try again'],
  ['undetermined', 'failed', '2.0.0', '-'],
  ['undetermined', 'failed', 'unknown', '-'],
  ['undetermined', 'failed', '-', '-'],
  ['undetermined', 'failed', '-', 'x-local; the hook ended with 75'],
  ['delayed', 'delayed', '4.4.1', 'smtp; 421 connection timed out'],
  ['delayed', 'delayed', '4.2.2', 'smtp; 452 mailbox full'],
  ['delayed', 'Delayed', '4.0.0', '-'],
  ['delayed', 'delayed', '-', '-'],
  ['delayed', 'delayed (will retry)', '4.7.0', 'smtp; 421 slow down'],
  ['delivered', 'delivered', '2.0.0', '-'],
  ['delivered', 'delivered', '2.1.5', 'smtp; 250 2.1.5 delivered'],
  ['delivered', 'relayed', '2.0.0', 'smtp; 250 OK'],
  ['delivered', 'Relayed', '2.1.9', '-'],
  ['delivered', 'delivered', '-', '-'],
];

/** Type of feedback, and fields of the report besides it. */
const feedback: [Expected, ...fields: string[]][] = [
  ['opt_out', 'Feedback-Type: Opt-Out-List (by link)', 'Version: 1'],
  ['unknown', 'Feedback-Type: dmarc', 'Version: 1'],
  ['unknown', 'Feedback-Type: miscategorized', 'Version: 1'],
  ['unknown', 'Version: 1'],
  ['complaint', 'Feedback-Type: abuse', 'User-Agent: Loop/1.0', 'Version: 1'],
  ['complaint', 'Feedback-Type: Abuse', 'Version: 0.1'],
  ['complaint', 'User-Agent: Loop/1.0', 'Version: 1', 'Feedback-Type: abuse'],
  ['complaint', 'Feedback-Type:abuse', 'Original-Mail-From: <b-x@bounces.shop.example>'],
  ['complaint', 'Feedback-Type: abuse', 'Arrival-Date: Thu, 8 Mar 2026 14:00:00 EDT', 'Source-IP: 192.0.2.1'],
  ['complaint', 'Feedback-Type: fraud', 'Version: 1'],
  ['complaint', 'Feedback-Type: virus', 'Version: 1'],
  ['complaint', 'Feedback-Type: abuse (by button)', 'Version: 1'],
  [
    'complaint',
    'Version: 1',
    'Feedback-Type: ABUSE',
    'Reported-Domain: shop.example',
    'Reported-URI: https://shop.example/',
  ],
  [
    'complaint',
    'Feedback-Type: abuse',
    'Original-Rcpt-To: redacted@people.example',
    'Removal-Recipient: redacted',
  ],
  [
    'complaint',
    'Feedback-Type: abuse',
    'Authentication-Results: mx.people.example;',
    ' dkim=pass header.d=shop.example',
  ],
  ['nothing', 'Feedback-Type: not-spam', 'Version: 1'],
  ['nothing', 'Feedback-Type: Not-Spam', 'User-Agent: Loop/1.0'],
  ['unknown', 'Feedback-Type: other', 'Version: 1'],
  ['opt_out', 'Feedback-Type: opt-out', 'Version: 1'],
  ['unknown', 'Feedback-Type: auth-failure', 'Auth-Failure: dmarc'],
  ['unknown', 'Version: 1', 'User-Agent: Loop/1.0'],
];

const notice = (subject: string, ...body: string[]): string =>
  lines(
    'From: Mail Delivery Subsystem <mailer-daemon@mx.people.example>',
    `Subject: ${subject}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...body,
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    original,
  );

/** Subject and text of notices without a machine-readable part. */
const notices: [Expected, subject: string, ...body: string[]][] = [
  [
    'hard',
    'Mail delivery failed: returning message to sender',
    'A message that you sent could not be delivered to all of its recipients.',
    '  reader@people.example',
    '    550 5.1.1 no such user',
  ],
  [
    'hard',
    'Mail delivery failed: returning message to sender',
    '  reader@people.example',
    '    Unrouteable address',
  ],
  [
    'hard',
    'Mail delivery failed: returning message to sender',
    '  reader@people.example',
    '    host mx.people.example [192.0.2.7]',
    '    550 Unknown recipient',
  ],
  [
    'hard',
    'failure notice',
    "Hi. This is the qmail-send program at mx. I'm afraid I wasn't able to deliver your message.",
    '<reader@people.example>:',
    'Sorry, no mailbox here by that name. (#5.1.1)',
  ],
  [
    'hard',
    'failure notice',
    '<reader@people.example>:',
    '192.0.2.7 does not like recipient.',
    'Remote host said: 550 invalid mailbox',
  ],
  ['hard', 'Undelivered Mail Returned to Sender', '<reader@people.example>: unknown user: "reader"'],
  [
    'hard',
    'Undelivered Mail Returned to Sender',
    '<reader@people.example>: Host or domain name not found. Name service error for name=people.example type=MX',
  ],
  [
    'hard',
    'Undeliverable: News',
    "The email address you entered couldn't be found. Check the address and send it again.",
  ],
  ['hard', 'Undeliverable: News', "reader wasn't found at people.example."],
  [
    'hard',
    'Delivery Status Notification (Failure)',
    'The email account that you tried to reach does not exist.',
  ],
  [
    'hard',
    'Delivery Status Notification (Failure)',
    "Your message wasn't delivered because the address couldn't be found, or is unable to receive mail.",
  ],
  [
    'hard',
    'Failure Notice',
    "Sorry, we were unable to deliver your message. This user doesn't have a people.example account",
  ],
  ['hard', 'Returned mail: see transcript for details', '550 5.1.1 <reader@people.example>... User unknown'],
  ['hard', 'Returned mail: User unknown', 'The address was unknown: mailbox not found'],
  [
    'hard',
    'DELIVERY FAILURE: User reader not listed in Domino Directory',
    'User reader (reader@people.example) not listed in Domino Directory',
  ],
  ['hard', 'Undeliverable mail', 'The account has been disabled by its owner.'],
  ['hard', 'Undeliverable mail', 'This mailbox has been closed.'],
  ['hard', 'Delivery failed', 'The recipient is no longer with us.'],
  ['hard', 'Delivery failed', 'Recipient address rejected by the directory'],
  ['hard', 'Message not delivered', 'There is no such account at this host.'],
  [
    'hard',
    'Delivery failure',
    'DNS Error: 1234 DNS type mx lookup of people.example responded with code NXDOMAIN',
  ],
  ['hard', 'Delivery failure', 'The domain people.example does not accept mail (nullMX).'],
  ['hard', 'Undeliverable', 'Invalid recipient: reader'],
  ['hard', 'Undeliverable', 'The group reader no longer exists.'],
  ['undetermined', 'Undeliverable', 'relaying denied for reader@people.example'],
  ['undetermined', 'Delivery failed', 'The server answered: 554 5.0.0 service refused'],
  ['undetermined', 'Mail delivery failed', 'The server answered', '553 this reply says little'],
  ['hard', 'Unzustellbar: Angebot', 'Das Konto gibt es nicht: 550 5.1.1 user unknown'],
  ['hard', 'Delivery failed', 'Address is inactive: address disabled'],
  ['soft', 'Undeliverable: News', "The recipient's mailbox is full and can't accept messages now."],
  [
    'soft',
    'Undelivered Mail Returned to Sender',
    '<reader@people.example>: host mx said: 552 5.2.2 mailbox over quota',
  ],
  ['soft', 'Delivery Status Notification (Failure)', 'The recipient inbox is full: out of storage space.'],
  ['soft', 'failure notice', '<reader@people.example>:', 'User is over the quota. You can try again later.'],
  ['soft', 'Mail delivery failed', 'retry timeout exceeded'],
  ['soft', 'Mail delivery failed', 'The connection timed out for four days.'],
  ['soft', 'Delivery failed', '450 4.7.1 greylisted'],
  ['undetermined', 'Delivery failed', 'message too large for this mailbox'],
  ['soft', 'Delivery failed', 'The server has insufficient system storage.'],
  ['undetermined', 'Delivery failed', 'Too many messages from your network: rate limited'],
  ['undetermined', 'Delivery failed', 'Temporarily rejected: deferred by policy'],
  ['soft', 'Delivery failed', 'The server answered: 451 4.0.0 no'],
  ['soft', 'Delivery failed', 'Connection refused by mx.people.example.'],
  ['soft', 'Undeliverable mail', 'quota exceeded'],
  ['undetermined', 'Undeliverable: News', 'Your message was classified as spam and was not delivered.'],
  ['undetermined', 'Mail delivery failed', '554 5.7.1 blocked by the blacklist of a provider'],
  ['undetermined', 'Delivery failed', 'A policy of the organisation prohibited this message.'],
  ['undetermined', 'Delivery failed', '550 5.7.26 DMARC check failed'],
  ['undetermined', 'Undeliverable', 'The message had a virus.'],
  ['undetermined', 'Returned mail', 'We return your message.'],
  [
    'undetermined',
    'Mail System Error - Returned Mail',
    'Delivery failed for a reason that the server 192.0.2.250 kept for itself.',
  ],
  ['undetermined', 'Non remis : Nouvelles', 'Le message est joint.'],
  [
    'delayed',
    'Warning: message delayed 24 hours',
    'THIS IS A WARNING MESSAGE ONLY. YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
    '451 4.4.1 timed out',
  ],
  [
    'delayed',
    'Delayed Mail (still being retried)',
    'Your message could not be delivered for 4 hours. It will be retried until it is 5 days old.',
  ],
  [
    'delayed',
    'Delivery Status Notification (Delay)',
    'Delivery incomplete. There was a temporary problem delivering your message. Gmail will retry for 46 more hours.',
  ],
  ['delayed', 'Delivery delayed', 'The message has not yet been delivered. We will keep trying.'],
  ['delayed', 'Mail delivery', 'Delivery attempts will continue to be made for another 3 days.'],
  ['unknown', 'Welcome to the list', 'Thank you for writing to us.'],
  ['unknown', 'Your daily digest', 'You have 550 new points and 3 messages.'],
  ['unknown', 'Hello', 'no news'],
];

const mail = (from: string, subject: string, headers: string[], body: string): string =>
  lines(
    `From: ${from}`,
    `Subject: ${subject}`,
    ...headers,
    'Content-Type: text/plain; charset=utf-8',
    '',
    body,
  );

/** Subject and header fields of answers by programs and people. */
const answers: [Expected, subject: string, ...headers: string[]][] = [
  ['auto', 'Out of office: News', 'Auto-Submitted: auto-replied'],
  ['auto', 'Automatic reply: News', 'Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
  ['auto', 'Abwesenheitsnotiz', 'Auto-Submitted: auto-replied (vacation)'],
  ['auto', 'Réponse automatique', 'auto-submitted: AUTO-REPLIED; owner-email="reader@people.example"'],
  ['auto', 'Away until Monday', 'Precedence: auto_reply'],
  ['auto', 'Away until Monday', 'Precedence: Auto_Reply', 'X-Loop: reader'],
  ['auto', 'Vacation', 'X-Autoreply: yes'],
  ['auto', 'Vacation', 'X-AutoReply: true', 'Precedence: bulk'],
  ['auto', 'Ticket 4711 was opened', 'Auto-Submitted: auto-generated'],
  ['auto', 'Respuesta automática', 'Auto-Submitted: auto-replied', 'Precedence: junk'],
  ['auto', 'I changed my address', 'Auto-Submitted: auto-notified'],
  ['auto', 'Parental leave', 'X-Autoreply:'],
  ['auto', 'Odd', 'Auto-Submitted:'],
  ['auto', 'Away', 'X-Autorespond: away'],
  ['auto', 'Away', 'X-Autoresponder: yes'],
  ['auto', 'Re: News', 'X-MS-Exchange-Inbox-Rules-Loop: reader@people.example'],
  ['auto', 'Re: News', 'X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent'],
  ['auto', 'Automatic reply: News'],
  ['auto', 'Out of office: back on Monday'],
  ['auto', 'Automatische Antwort: News'],
  ['auto', 'Abwesenheitsnotiz: News'],
  ['auto', 'Réponse automatique : News'],
  ['auto', 'Respuesta automática: News'],
  ['auto', 'Resposta automática: News'],
  ['auto', 'Risposta automatica: News'],
  ['auto', 'Automatisch antwoord: News'],
  ['auto', 'Autosvar: News'],
  ['auto', 'Automaattinen vastaus: News'],
  ['auto', 'Odpowiedź automatyczna: News'],
  ['auto', 'Automatická odpověď: News'],
  ['auto', 'Automatikus válasz: News'],
  ['auto', 'Otomatik Yanıt: News'],
  ['auto', 'Автоматический ответ: News'],
  ['auto', '自動応答: News'],
  ['auto', '自动回复: News'],
  ['auto', '자동 응답: News'],
  ['unknown', 'Re: Automatic reply: News'],
  ['unknown', 'Re: News', 'X-Auto-Response-Suppress: All'],
  ['unknown', 'Re: News', 'In-Reply-To: <1@shop.example>'],
  ['unknown', 'Re: News', 'Auto-Submitted: no'],
  ['unknown', 'Re: News', 'Auto-Submitted: No (written by hand)'],
  ['unknown', 'Newsletter of another shop', 'Precedence: bulk'],
  ['unknown', 'Newsletter of a list', 'Precedence: list', 'List-Id: <list.people.example>'],
  ['unknown', 'Undeliverable: your invoice', 'X-Mailer: made by hand'],
  ['unknown', 'Delivery Status Notification (Failure)', 'X-Note: forged by a person, without a report'],
];

/** Replies of servers as they quote them in a notice from `mailer-daemon`, and what they mean. */
const replies: [Expected, ...texts: string[]][] = [
  [
    'hard',
    '550 5.1.1 unknown user',
    '550 no such mailbox',
    '550 Requested action not taken: invalid mailbox',
    '550 sorry, no mailbox here by that name',
    '551 user not found',
    '553 5.1.3 invalid address',
    '550 5.1.1 The user does not exist',
    '550 recipient rejected',
    '550 account is disabled',
    '554 5.2.1 mailbox disabled',
    '550 mailbox is inactive',
    '550 5.1.1 user suspended',
    '550 is not a valid mailbox',
    '550 not our customer',
    '511 5.1.1 unknown address',
    '550 5.1.2 domain does not exist',
    '550 bad destination',
    '550 alias unknown',
  ],
  [
    'soft',
    '452 4.2.2 mailbox full',
    '552 5.2.2 over quota',
    '552 storage limit exceeded',
    '450 4.2.0 greylisting in action',
    '421 4.7.0 try again later',
    '451 temporarily unavailable',
    '421 too many connections',
    '450 throttled',
    '452 insufficient disk',
    '421 timed out',
    '451 4.3.2 disk full',
    '450 4.1.1 mail deferred',
    '421 host unreachable',
    '550 5.2.2 user is over quota',
  ],
  ['undetermined', '550 5.0.0 no', '550 unable to relay', '552 message size exceeds'],
];

/** Shapes that only look like a report, or arrive damaged. */
const oddities: Sample[] = [
  {
    name: 'a DSN cut off in its fields',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').split('--=_part\r\nContent-Type: message/rfc822')[0] ?? '',
  },
  {
    name: 'a DSN cut off before its fields',
    expected: 'unknown',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').split('Reporting-MTA')[0] ?? '',
  },
  {
    name: 'a DSN with line feeds only',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').replaceAll('\r\n', '\n'),
  },
  {
    name: 'a DSN with folded fields',
    expected: 'soft',
    envelopeFrom: '',
    raw: dsn('Action:', '  failed', 'Status:', '\t4.2.2'),
  },
  {
    name: 'a DSN from a person',
    expected: 'hard',
    envelopeFrom: 'someone@people.example',
    raw: dsn('Action: failed', 'Status: 5.1.1'),
  },
  {
    name: 'a DSN about several recipients counts what it says about ours',
    expected: 'delivered',
    envelopeFrom: '',
    raw: dsn(
      'Action: delivered',
      'Status: 2.0.0',
      '',
      'Final-Recipient: rfc822; b@people.example',
      'Action: failed',
      'Status: 5.1.1',
    ),
  },
  {
    name: 'of several groups about ours the most final counts',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn(
      'Action: delivered',
      'Status: 2.0.0',
      '',
      'Final-Recipient: rfc822; <Reader+news@people.example> (a comment)',
      'Action: failed',
      'Status: 5.1.1',
      '',
      'Original-Recipient: rfc822;reader+2Bshop@people.example',
      'Action: delayed',
    ),
  },
  {
    name: 'a DSN about a member of a list',
    expected: 'unknown',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').replaceAll(
      'reader@people.example',
      'member@elsewhere.example',
    ),
  },
  {
    name: 'a DSN about a forward of ours',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').replace(
      'Final-Recipient: rfc822; reader@people.example',
      'Original-Recipient: rfc822; reader@people.example\r\nFinal-Recipient: rfc822; forward@elsewhere.example',
    ),
  },
  {
    name: 'a DSN without a readable recipient',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').replace('rfc822; reader@people.example', 'x400; /S=reader/'),
  },
  {
    name: 'a DSN about an expanded list',
    expected: 'unknown',
    envelopeFrom: '',
    raw: dsn('Action: expanded', 'Status: 2.0.0'),
  },
  {
    name: 'a DSN of RFC 6533',
    expected: 'hard',
    envelopeFrom: '',
    raw: report({
      type: 'delivery-status',
      partType: 'message/global-delivery-status',
      fields: ['Reporting-MTA: dns; mx', '', 'Action: failed', 'Status: 5.1.1', ''],
    }),
  },
  {
    name: 'a delivery status outside of a report',
    expected: 'hard',
    envelopeFrom: 'a@people.example',
    raw: dsn('Action: failed', 'Status: 5.1.1')
      .replace('multipart/report', 'multipart/mixed')
      .replace('MAILER-DAEMON@', 'a@'),
  },
  {
    name: 'a DSN that quotes a DSN counts the outer one',
    expected: 'delayed',
    envelopeFrom: '',
    raw: report({
      type: 'delivery-status',
      fields: ['Reporting-MTA: dns; mx', '', 'Action: delayed', 'Status: 4.4.1', ''],
      original: dsn('Action: failed', 'Status: 5.1.1').replaceAll('=_part', '=_inner'),
    }),
  },
  {
    name: 'an ARF report cut off after its type',
    expected: 'complaint',
    envelopeFrom: 'fbl@provider.example',
    raw:
      report({
        type: 'feedback-report',
        from: 'fbl@provider.example',
        fields: ['Feedback-Type: abuse', ''],
      }).split('--=_part\r\nContent-Type: message/rfc822')[0] ?? '',
  },
  {
    name: 'a delivery status before feedback',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.1.1').replace(
      '--=_part\r\nContent-Type: message/rfc822',
      '--=_part\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--=_part\r\nContent-Type: message/rfc822',
    ),
  },
  {
    name: 'a read receipt',
    expected: 'auto',
    envelopeFrom: '',
    raw: report({
      type: 'disposition-notification',
      from: 'reader@people.example',
      fields: ['Disposition: automatic-action/MDN-sent-automatically; displayed', ''],
    }).replace('Subject:', 'Auto-Submitted: auto-replied\r\nSubject:'),
  },
  {
    name: 'an automatic reply with the null sender',
    expected: 'auto',
    envelopeFrom: '',
    raw: mail(
      'reader@people.example',
      'Out of office',
      ['Auto-Submitted: auto-replied'],
      'I am away until Monday.',
    ),
  },
  {
    name: 'a notice in HTML',
    expected: 'hard',
    envelopeFrom: '',
    raw: lines(
      'From: postmaster@people.example',
      'Subject: Undeliverable: News',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>The address <b>reader</b> couldn&#39;t be&nbsp;found.</p>',
    ),
  },
  {
    name: 'a notice in base64',
    expected: 'hard',
    envelopeFrom: '',
    raw: lines(
      'From: postmaster@people.example',
      'Subject: Undeliverable',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('No such user at this host.').toString('base64'),
    ),
  },
  {
    name: 'a notice from a postmaster with an envelope sender',
    expected: 'hard',
    envelopeFrom: 'postmaster@people.example',
    raw: mail('Postmaster <postmaster@people.example>', 'Undeliverable', [], 'unknown user'),
  },
  {
    name: 'an encoded subject',
    expected: 'undetermined',
    envelopeFrom: '',
    raw: mail(
      'postmaster@people.example',
      '=?utf-8?B?VW5kZWxpdmVyYWJsZTogTmV3cw==?=',
      [],
      'The message is attached.',
    ),
  },
  {
    name: 'an address of the network is no code',
    expected: 'undetermined',
    envelopeFrom: '',
    raw: mail('postmaster@people.example', 'Delivery failure', [], 'Refused by 5.1.1.7 and 4.2.2.1.'),
  },
  {
    name: 'a letter with the null sender that returns our email',
    expected: 'hard',
    envelopeFrom: '',
    raw: lines(
      'From: Delivery <noreply@people.example>',
      'Subject: Sorry',
      '',
      'reader@people.example: no such user',
      '',
      '--- Below this line is a copy of the message.',
      '',
      'X-Postrider-Email: 1',
    ),
  },
  {
    name: 'a letter with the null sender that names our recipient beside a code',
    expected: 'hard',
    envelopeFrom: '',
    raw: mail(
      'noreply@people.example',
      'Sorry',
      [],
      'We could not deliver to reader@people.example: 550 5.1.1 no such user',
    ),
  },
  {
    name: 'a letter with the null sender that names somebody else beside a code',
    expected: 'unknown',
    envelopeFrom: '',
    raw: mail(
      'noreply@people.example',
      'Sorry',
      [],
      'We could not deliver to ann@people.example: 550 5.1.1 no such user',
    ),
  },
  {
    name: 'a person who writes with the null sender about a dead mailbox',
    expected: 'unknown',
    envelopeFrom: '',
    raw: mail(
      'reader@people.example',
      'I left',
      [],
      'This mailbox is no longer in use. My account has been closed.',
    ),
  },
  {
    name: 'a letter of Exchange',
    expected: 'hard',
    envelopeFrom: '',
    raw: mail(
      'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@people.example>',
      'Undeliverable: News',
      ['Auto-Submitted: auto-replied'],
      "reader@people.example\r\nThe email address you entered couldn't be found.",
    ),
  },
  {
    name: 'qmail over quota, below words that say that it is permanent',
    expected: 'soft',
    envelopeFrom: '',
    raw: mail(
      'MAILER-DAEMON@mx1.people.example',
      'failure notice',
      [],
      lines(
        'Hi. This is the qmail-send program at mx1.people.example.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        '<reader@people.example>:',
        'The users mailfolder is over the allowed quota (size). (#5.2.2)',
      ),
    ),
  },
  {
    name: 'qmail with a block',
    expected: 'undetermined',
    envelopeFrom: '',
    raw: mail(
      'MAILER-DAEMON@mx1.people.example',
      'failure notice',
      [],
      lines(
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        '<reader@people.example>:',
        '192.0.2.25 failed after I sent the message.',
        'Remote host said: 554 Blocked - see the help page, sender is on a block list',
      ),
    ),
  },
  {
    name: 'Exim with a full mailbox and no code',
    expected: 'soft',
    envelopeFrom: '',
    raw: lines(
      'From: Mail Delivery System <Mailer-Daemon@mx1.people.example>',
      'Subject: Mail delivery failed: returning message to sender',
      'X-Failed-Recipients: reader@people.example',
      '',
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  reader@people.example',
      '    mailbox is full (MTA-imposed quota exceeded while writing to file /home/reader/inbox):',
      '    retry timeout exceeded',
    ),
  },
  {
    name: 'Domino',
    expected: 'hard',
    envelopeFrom: '',
    raw: dsn(
      'Action: failed',
      'Status: 5.0.0',
      'Diagnostic-Code: X-Notes; User reader (reader@people.example) not listed in Domino Directory',
    ),
  },
  {
    name: 'IIS without a diagnosis',
    expected: 'soft',
    envelopeFrom: '',
    raw: dsn('Action: failed', 'Status: 5.2.2'),
  },
  {
    name: 'a letter about two recipients does not explain the status of one',
    expected: 'undetermined',
    envelopeFrom: '',
    raw: report({
      type: 'delivery-status',
      text: 'other@people.example: no such user',
      fields: [
        'Reporting-MTA: dns; mx',
        '',
        'Final-Recipient: rfc822; reader@people.example',
        'Action: failed',
        'Status: 5.0.0',
        '',
        'Final-Recipient: rfc822; other@people.example',
        'Action: failed',
        'Status: 5.1.1',
        '',
      ],
    }),
  },
  { name: 'an empty message', expected: 'unknown', envelopeFrom: '', raw: '' },
  { name: 'a message without a body', expected: 'unknown', envelopeFrom: '', raw: 'Subject: Hello' },
  {
    name: 'bytes that are no message',
    expected: 'unknown',
    envelopeFrom: '',
    raw: '\u0000\u0001\u0002'.repeat(300),
  },
  {
    name: 'a multipart without a boundary',
    expected: 'unknown',
    envelopeFrom: '',
    raw: lines('Subject: x', 'Content-Type: multipart/report', '', 'Action: failed', 'Status: 5.1.1'),
  },
];

export const samples: Sample[] = [
  ...statuses.map(
    ([expected, action, status, diagnosis], index): Sample => ({
      name: `delivery status ${index}: ${action}, ${status}, ${diagnosis}`,
      expected,
      envelopeFrom: '',
      raw: dsn(
        `Action: ${action}`,
        ...(status === '-' ? [] : [`Status: ${status}`]),
        ...(diagnosis === '-' ? [] : [`Diagnostic-Code: ${diagnosis}`]),
      ),
    }),
  ),
  ...feedback.map(
    ([expected, ...fields], index): Sample => ({
      name: `feedback ${index}: ${fields.join(' ')}`,
      expected,
      envelopeFrom: 'fbl@provider.example',
      raw: report({ type: 'feedback-report', from: 'fbl@provider.example', fields: [...fields, ''] }),
    }),
  ),
  ...notices.map(
    ([expected, subject, ...body], index): Sample => ({
      name: `notice ${index}: ${subject}: ${body.join(' ')}`,
      expected,
      envelopeFrom: '',
      raw: notice(subject, ...body),
    }),
  ),
  ...replies.flatMap(([expected, ...texts]) =>
    texts.map(
      (text): Sample => ({
        name: `quoted reply: ${text}`,
        expected,
        envelopeFrom: 'mailer-daemon@people.example',
        raw: notice('Mail delivery failed', '<reader@people.example>: the server answered', text),
      }),
    ),
  ),
  // RFC 3834 asks automatic replies to have the null sender; people may have it too.
  ...['reader@people.example', ''].flatMap((envelopeFrom) =>
    answers.map(
      ([expected, subject, ...headers], index): Sample => ({
        name: `answer ${index} from <${envelopeFrom}>: ${subject}, ${headers.join(', ')}`,
        expected,
        envelopeFrom,
        raw: mail(
          'Reader <reader@people.example>',
          subject,
          headers,
          'I am away. My mailbox is full, no such user. This mailbox is no longer in use: delivery has failed.',
        ),
      }),
    ),
  ),
  ...oddities,
];
