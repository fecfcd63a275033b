import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** A bounce or complaint of a mail server about one message. */
export interface MailReport {
  /** the envelope sender of the message */
  to: string;
  kind: 'bounce' | 'complaint';
}

const retryMs = 300;

/** Sends a report until the receiver answers 250, as a mail server does: a connection that breaks is no answer. */
export async function sendReport(port: number, report: MailReport, giveUpMs: number): Promise<void> {
  const until = Date.now() + giveUpMs;
  for (;;) {
    const reply = await attempt(port, report).catch((error: unknown) => String(error));
    if (reply.startsWith('250')) return;
    if (Date.now() > until || reply.startsWith('5'))
      throw new Error(`The report for ${report.to} was not taken: ${reply}`);
    await sleep(retryMs);
  }
}

async function attempt(port: number, report: MailReport): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return await converse(socket, report);
  } finally {
    socket.destroy();
  }
}

/** @returns the reply to the end of the message, or the first negative one */
async function converse(socket: Socket, report: MailReport): Promise<string> {
  const rest = [
    'EHLO mx.people.test',
    'MAIL FROM:<>',
    `RCPT TO:<${report.to}>`,
    'DATA',
    `${messageOf(report)}\r\n.`,
  ];
  for await (const line of createInterface({ input: socket })) {
    if (!/^\d{3} /.test(line)) continue;
    const next = rest.shift();
    if (next === undefined || /^[45]/.test(line)) return line;
    socket.write(`${next}\r\n`);
  }
  throw new Error('the connection has ended');
}

function messageOf({ to, kind }: MailReport): string {
  const fields =
    kind === 'bounce'
      ? ['Reporting-MTA: dns; mx.people.test', '', 'Action: failed', 'Status: 5.1.1']
      : ['Feedback-Type: abuse', 'Version: 1'];
  const type = kind === 'bounce' ? 'delivery-status' : 'feedback-report';
  return [
    'From: mailer-daemon@people.test',
    // The same for every attempt, so that a report whose answer was lost counts once.
    `Message-ID: <${kind}.${to.replace('@', '.')}@mx.people.test>`,
    'Subject: Report',
    `Content-Type: multipart/report; report-type=${type}; boundary=part`,
    '',
    '--part',
    `Content-Type: message/${type}`,
    '',
    ...fields,
    '--part--',
  ].join('\r\n');
}
