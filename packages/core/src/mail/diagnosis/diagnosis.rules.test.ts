import { describe, expect, it } from 'vitest';
import { type BounceType, diagnose, isFinalClass, wordsOf } from './diagnosis.rules.ts';
import { type Answer, builtOn, corpus, heldOut } from './diagnosis-corpus.fixture.ts';
import { partsOfAnswer } from './diagnosis-frames.fixture.ts';
import { phrases } from './diagnosis-phrases.rules.ts';

const diagnosed = (answer: Answer) => {
  const { reply, status } = partsOfAnswer(answer);
  return diagnose({ reply, status, text: answer.text, about: answer.to });
};
const isFinal = ({ bounceType }: { bounceType: BounceType }): boolean => bounceType === 'Permanent';
/** An answer that says that the address accepts no email, for good. */
const isDead = (answer: Answer): boolean =>
  isFinalClass(answer.expected) && partsOfAnswer(answer).reply >= 500;

describe('the corpus of answers', () => {
  it('has more than 300 of them, of every class, each once', () => {
    expect(corpus.length).toBeGreaterThan(300);
    expect(new Set(corpus.map(({ text, to }) => `${to} ${text}`)).size).toBe(corpus.length);
    expect(new Set(corpus.map(({ expected }) => expected)).size).toBe(11);
  });

  it('each of the half that the rules were built on has its class', () => {
    const wrong = builtOn.flatMap((answer) => {
      const { class: found } = diagnosed(answer);
      return found === answer.expected ? [] : [{ ...answer, found }];
    });
    expect(wrong).toEqual([]);
  });

  it('of the other half, at least 94 % of dead addresses are found, and at most 2 % of the others', () => {
    const dead = heldOut.filter(isDead);
    const alive = heldOut.filter((answer) => !isDead(answer));
    const found = dead.filter((answer) => isFinal(diagnosed(answer)));
    const mistaken = alive.filter((answer) => isFinal(diagnosed(answer)));
    expect(found.length / dead.length).toBeGreaterThanOrEqual(0.94);
    expect(mistaken.length / alive.length).toBeLessThanOrEqual(0.02);
  });
});

describe('a diagnosis', () => {
  it.each([
    [null, '5.0.0', '550 user unknown', 'no_mailbox', 'Permanent'],
    [null, '5.2.2', 'mailbox full', 'full', 'Transient'],
    [550, null, '550 5.7.26 This mail is unauthenticated', 'authentication', 'Undetermined'],
    [null, '5.3.4', '', 'too_large', 'Undetermined'],
    [null, '5.4.6', '', 'unreachable', 'Transient'],
    [550, null, '550 sender address rejected: domain not found', 'policy', 'Undetermined'],
    // The next server's answer stands at the end.
    [null, '5.0.0', '550 5.7.1 not taken: 550 5.1.1 no', 'no_mailbox', 'Permanent'],
    [450, null, '450 4.1.1 user unknown', 'no_mailbox', 'Transient'],
    [null, null, 'user unknown', 'no_mailbox', 'Permanent'],
    [null, null, 'something happened', 'other', 'Undetermined'],
    [550, null, '550 5.1.10 rejected', 'no_mailbox', 'Permanent'],
    [556, null, '556 5.1.10 rejected', 'no_domain', 'Permanent'],
    [521, null, '521 5.3.2 go elsewhere', 'no_domain', 'Permanent'],
    // Words look like those of a refusal, but are an address or a URL.
    [550, null, '550 <no.such.user@unknown-user.example> no', 'other', 'Undetermined'],
    [550, null, '550 see https://help.example/user-unknown', 'other', 'Undetermined'],
    [550, null, '550 192.5.1.1 said no to 5.1.1.7', 'other', 'Undetermined'],
  ] as const)('%s %s %s', (reply, status, text, given, bounceType) => {
    expect(diagnose({ reply, status, text, about: null })).toMatchObject({ class: given, bounceType });
  });

  it('of the answer to MAIL FROM, to DATA or about the sender is never final', () => {
    for (const { text } of corpus)
      for (const about of ['sender', 'data'] as const)
        expect(isFinal(diagnose({ reply: null, status: null, text, about }))).toBe(false);
    for (const text of [
      '550 5.1.1 sender address rejected: user unknown',
      '550 Invalid sender: no such user',
    ])
      expect(diagnose({ reply: 550, status: null, text, about: 'recipient' })).toMatchObject({
        class: 'policy',
      });
  });

  it('at the end of the message, words about the mailbox do not count, a precise code does', () => {
    const atEnd = (text: string) => diagnose({ reply: 550, status: null, text, about: 'message' }).class;
    expect(atEnd('550 no such user')).toBe('content');
    expect(atEnd('550 5.7.1 no such user')).toBe('content');
    expect(atEnd('550 5.1.1 sorry')).toBe('no_mailbox');
    expect(atEnd('552 mailbox full')).toBe('full');
  });

  it('reads no more of a text than an answer has', () => {
    const text = `550 ${'x '.repeat(100_000)}user unknown`;
    expect(diagnose({ reply: 550, status: null, text, about: 'recipient' }).class).toBe('other');
  });
});

it('each phrase meets its example', () => {
  const wrong = Object.entries(phrases).flatMap(([name, all]) =>
    all.filter(([pattern, example]) => !pattern.test(wordsOf(example))).map(([, example]) => [name, example]),
  );
  expect(wrong).toEqual([]);
});
