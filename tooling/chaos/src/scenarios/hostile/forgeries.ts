import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { inLanes } from './ask.ts';
import type { Attack } from './attack.ts';
import { emailIdsOf, reportedEmails } from './hostile.store.ts';
import { converse, dataOf } from './smtp-dialogue.ts';

const atOnce = 10;
const arrivalMs = 60_000;
const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const guess = (): string => Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('');

/** Reports by somebody who knows the ids of emails, as from links or webhooks, and has seen none of the messages. */
export const forgeries: Attack = {
  name: 'forged reports',
  bounds: {},
  async run({ chaos, bouncePort, neighbour }, size) {
    const count = size(1_000);
    await callApi(chaos.stack.urls.api, neighbour.secretKey, '/v1/send', {
      to: Array.from({ length: count }, (_, index) => `victim${index}@people.test`),
      from: neighbour.from,
      subject: 'Hello',
      body: '<p>Hello</p>',
    });
    const before = await reportedEmails(chaos.db, neighbour.id);
    const ids = await emailIdsOf(chaos.db, neighbour.id, count);
    const addresses = (await arrived(chaos, ids)).map((address) =>
      // The id is known from a link, the proof after it is not.
      address.replace(/-[a-z2-7]{10}@/, `-${guess()}@`),
    );
    const replies = await inLanes(addresses.length, atOnce, (index) =>
      converse(bouncePort, [
        'EHLO mx.people.test',
        'MAIL FROM:<>',
        `RCPT TO:<${addresses[index]}>`,
        'DATA',
        dataOf(complaint(index)),
      ]),
    );
    const accepted = replies.filter((reply) => !reply.startsWith('5'));
    const counted = (await reportedEmails(chaos.db, neighbour.id)) - before;
    return {
      problems: [
        ...(addresses.length < count
          ? [`only ${addresses.length} of ${count} emails could be reported about`]
          : []),
        ...accepted.slice(0, 3).map((reply) => `a forged report was answered ${reply}`),
        ...(counted > 0 ? [`${counted} forged reports count`] : []),
      ],
      notes: [`${addresses.length} forged reports, ${accepted.length} accepted, ${counted} counted`],
    };
  },
};

/** @returns the envelope senders of emails, when all have arrived */
async function arrived({ sink }: ChaosStack, ids: readonly string[]): Promise<string[]> {
  const until = Date.now() + arrivalMs;
  for (;;) {
    const messages = await sink.find(ids);
    if (messages.length >= ids.length || Date.now() > until) return messages.map(({ from }) => from);
    await sleep(100);
  }
}

const complaint = (index: number): string =>
  [
    'From: mailer-daemon@people.test',
    `Message-ID: <forged${index}@people.test>`,
    'Content-Type: multipart/report; report-type=feedback-report; boundary=part',
    '',
    '--part',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'Version: 1',
    '--part--',
  ].join('\r\n');
