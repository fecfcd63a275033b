import { expect, it } from 'vitest';
import type { Answer } from '../../harness/answers.ts';
import { judgeAnswers, promisedIds, type Span } from './judge-answers.ts';

const blow: Span = { name: 'a blow', from: 1_000, until: 5_000, brokeConnections: false };
const answer = (given: Partial<Answer>): Answer => ({
  ...{ path: '/v1/send', status: 200, retryAfter: null, cause: '', reply: null, at: 2_000, ms: 10 },
  ...given,
});
const problemsOf = (one: Answer, span = blow): number => judgeAnswers([one], [span]).problems.length;

it('a request may be refused by 503 with Retry-After, in a blow', () => {
  expect(problemsOf(answer({ status: 503, retryAfter: '2' }))).toBe(0);
  expect(problemsOf(answer({ status: 503 }))).toBe(1);
  expect(problemsOf(answer({ status: 503, retryAfter: '2', at: 8_000 }))).toBe(1);
  expect(problemsOf(answer({ status: 500 }))).toBe(1);
});

it('a request may lose its connection where an api was killed', () => {
  const killing = { ...blow, brokeConnections: true };
  for (const status of [null, 502]) {
    expect(problemsOf(answer({ status }), killing)).toBe(0);
    expect(problemsOf(answer({ status }))).toBe(1);
  }
});

it('a repetition whose first request was stored is taken', () => {
  expect(judgeAnswers([answer({}), answer({ status: 409 })], [blow]).notes[0]).toBe(
    '2 of 2 requests were taken',
  );
});

it('reads the ids of what was stored', () => {
  const send = answer({ reply: { data: { emails: [{ email: 'e1' }, { email: 'e2' }] } } });
  const track = answer({ reply: { data: { contact: 'c1', event: 'v1' } } });
  expect(promisedIds([send, track, answer({ status: 503 })])).toEqual({
    emails: ['e1', 'e2'],
    events: ['v1'],
  });
});
