import { describe, expect, it } from 'vitest';
import type { HandOver, Refused } from '../../base/kernel/ports/mail-transport.ts';
import { resultOf } from './attempt-result.ts';

const times = { scale: 1 };
const judged = (handOver: HandOver) => resultOf(handOver, { attempts: 0, answeredForMs: null }, times);
const refused = (stage: Refused['stage'], response: string): HandOver => ({
  kind: 'refused',
  permanent: response.startsWith('5'),
  code: Number(response.slice(0, 3)),
  enhancedCode: /\d\.\d\.\d+/.exec(response)?.[0] ?? null,
  response,
  stage,
});

describe('a refusal', () => {
  it.each([
    ['rcpt', '550 5.1.1 user unknown', 'no_mailbox', true],
    ['rcpt', '550 5.2.1 disabled', 'closed', true],
    ['rcpt', '552 5.2.2 full', 'full', undefined],
    ['rcpt', '550 5.7.26 unauthenticated', 'authentication', undefined],
    ['final', '550 5.1.1 user unknown', 'no_mailbox', true],
    ['final', '550 user unknown', 'content', undefined],
    ['request', '550 user unknown', 'no_mailbox', true],
    // Answers to MAIL FROM and DATA concern the sender or the server, whatever their text.
    ['mail', '550 5.1.1 user unknown', 'other', undefined],
    ['mail', '550 sender address rejected: domain not found', 'policy', undefined],
    ['data', '550 no such user', 'other', undefined],
  ] as const)('at the stage %s, %s is of the class %s', (stage, response, given, hardBounce) => {
    const result = judged(refused(stage, response));
    expect(result).toMatchObject({ outcome: 'failed', error: response, diagnosis: { class: given } });
    expect(result.hardBounce).toBe(hardBounce);
  });

  it('for now has its diagnosis as well, and no effect on the address', () => {
    const result = judged(refused('rcpt', '450 4.1.1 user unknown'));
    expect(result).toMatchObject({ outcome: 'retry', diagnosis: { class: 'no_mailbox', reply: 450 } });
    expect(result.hardBounce).toBeUndefined();
  });
});

it('what the transport refuses itself, and a lost connection, are no diagnosis', () => {
  const own: HandOver = { ...(refused('rcpt', '550 too long') as Refused), isOwn: true };
  expect(judged(own).diagnosis).toBeUndefined();
  expect(judged({ kind: 'interrupted', error: 'timed out', stage: 'rcpt' }).diagnosis).toBeUndefined();
});
