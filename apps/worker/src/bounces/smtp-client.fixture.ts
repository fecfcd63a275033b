import { connect, type Socket } from 'node:net';
import type { Services } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { expect } from 'vitest';

/** One connection to the bounce receiver, a command at a time. */
export class Client {
  readonly #socket: Socket;
  readonly #replies: string[] = [];
  #buffer = '';
  #notify = (): void => undefined;
  isClosed = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (data) => {
      const all = (this.#buffer + String(data)).split('\r\n');
      this.#buffer = all.pop() ?? '';
      this.#replies.push(...all.filter((line) => /^\d{3} /.test(line)));
      this.#notify();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#notify();
    });
  }

  /** The last line of the next reply; '' when the connection has ended. */
  async reply(): Promise<string> {
    for (;;) {
      const next = this.#replies.shift();
      if (next !== undefined) return next;
      if (this.isClosed) return '';
      await new Promise<void>((resolve) => {
        this.#notify = resolve;
      });
    }
  }

  async say(command: string): Promise<string> {
    this.#socket.write(`${command}\r\n`);
    return this.reply();
  }

  end(): void {
    this.#socket.destroy();
  }
}

export async function session(port: number): Promise<Client> {
  const client = new Client(port);
  expect(await client.reply()).toMatch(/^220 /);
  expect(await client.say('EHLO mx.people.example')).toMatch(/^250 /);
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

export const dsn = (messageId = newId()): string =>
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
    'Final-Recipient: rfc822; reader@people.example',
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
