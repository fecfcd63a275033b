import type { Answer } from './diagnosis-corpus.fixture.ts';

const lines = (...all: string[]): string => all.join('\r\n');

const stages = { recipient: 'RCPT TO', sender: 'MAIL FROM', message: 'end of DATA' } as const;

/** The reply code and the enhanced code with which an answer begins, and its text as a client reads it. */
export function partsOfAnswer({ text }: Pick<Answer, 'text'>): {
  reply: number;
  status: string | null;
} {
  const [, reply, status] = /^(\d{3})[ -](?:#?(\d\.\d{1,3}\.\d{1,3}))?/.exec(text) ?? [];
  return { reply: Number(reply), status: status ?? null };
}

const returned = lines(
  'Return-Path: <b-x@bounces.shop.example>',
  'From: Shop <news@shop.example>',
  'To: reader@people.example',
  'Subject: Your mailbox is full of offers: no such user can resist',
  '',
  'Hello.',
);

/** A delivery report as Postfix makes it (RFC 3464). */
export function reportOfAnswer(answer: Answer): string {
  const { reply, status } = partsOfAnswer(answer);
  const said = `host mx1.people.example[192.0.2.25] said: ${answer.text} (in reply to ${stages[answer.to]} command)`;
  return lines(
    'From: Mail Delivery System <MAILER-DAEMON@relay.shop.example>',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="=_part"',
    '',
    '--=_part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is the mail system at host relay.shop.example.',
    '',
    "I'm sorry to have to inform you that your message could not",
    "be delivered to one or more recipients. It's attached below.",
    '',
    `<reader@people.example>: ${said}`,
    '',
    '--=_part',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.shop.example',
    '',
    'Final-Recipient: rfc822; reader@people.example',
    'Original-Recipient: rfc822;reader@people.example',
    'Action: failed',
    `Status: ${status ?? `${Math.floor(reply / 100)}.0.0`}`,
    'Remote-MTA: dns; mx1.people.example',
    `Diagnostic-Code: smtp; ${answer.text}`,
    '',
    '--=_part',
    'Content-Type: message/rfc822',
    '',
    returned,
    '--=_part--',
    '',
  );
}

/** A letter as Exim writes it. */
export const letterOfAnswer = (answer: Answer): string =>
  lines(
    'From: Mail Delivery System <Mailer-Daemon@relay.shop.example>',
    'Subject: Mail delivery failed: returning message to sender',
    'X-Failed-Recipients: reader@people.example',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    '  reader@people.example',
    '    host mx1.people.example [192.0.2.25]',
    `    SMTP error from remote mail server after ${stages[answer.to]}${answer.to === 'recipient' ? ':<reader@people.example>' : ''}:`,
    `    ${answer.text}`,
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    returned,
  );

/** A notification of Amazon SES about a bounce. */
export const notificationOfAnswer = ({ text }: Pick<Answer, 'text'>, bounceType = 'Permanent'): string =>
  JSON.stringify({
    notificationType: 'Bounce',
    mail: { messageId: 'm-1' },
    bounce: {
      bounceType,
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'reader@people.example', diagnosticCode: `smtp; ${text}` }],
    },
  });
