import type { Services } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { expect } from 'vitest';

export async function session(port: number): Promise<SmtpClient> {
  const client = new SmtpClient(port);
  expect(await client.reply()).toMatch(/^220 /);
  expect(await client.say('EHLO mx.people.example')).toMatch(/^250[ -]/);
  return client;
}

/** @returns the replies to MAIL, RCPT and the end of the message, up to the first refusal */
export async function deliver(port: number, to: string, message: string, from = ''): Promise<string[]> {
  const client = await session(port);
  try {
    const replies = [await client.say(`MAIL FROM:<${from}>`), await client.say(`RCPT TO:<${to}>`)];
    if (!replies.at(-1)?.startsWith('250')) return replies;
    expect(await client.say('DATA')).toMatch(/^354 /);
    return [...replies, await client.say(`${message}\r\n.`)];
  } finally {
    client.end();
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32, written independently of the product. */
export function addressOf(
  { secrets }: Pick<Services, 'secrets'>,
  emailId: string,
  domain = 'mail.test',
): string {
  const bits = [...emailId.replaceAll('-', '')]
    .map((hex) => Number.parseInt(hex, 16).toString(2).padStart(4, '0'))
    .join('');
  const groups = bits.padEnd(130, '0').match(/.{5}/g) ?? [];
  const id = groups.map((group) => alphabet[Number.parseInt(group, 2)]).join('');
  return `b-${id}-${secrets.bounceTag(emailId, domain)}@bounces.${domain}`;
}

/** @param recipient that the report names; by default one that cannot be read, as some servers hide it */
export const dsn = (recipient = 'redacted', messageId = newId()): string =>
  [
    'From: MAILER-DAEMON@mx.people.example',
    `Message-ID: <${messageId}@mx.people.example>`,
    'Subject: Undelivered',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.people.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 unknown',
    '--b--',
  ].join('\r\n');

/** A complaint in the Abuse Reporting Format (RFC 5965). */
export const complaint = (): string =>
  [
    'From: fbl@people.test',
    `Message-ID: <${newId()}@people.test>`,
    'Subject: complaint',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'Version: 1',
    '--b--',
  ].join('\r\n');
