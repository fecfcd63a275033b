import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { ClaimedEmail } from '../ledger/index.ts';
import { Attempt } from './attempt.ts';
import type { HeldBatch } from './held-batch.ts';
import type { ComposedMessage } from './message-factory.ts';

afterEach(() => vi.restoreAllMocks());

/** An attempt, how often its beginning was recorded, and the way to answer that. */
function attemptWith(beginsBefore: number | null) {
  const asked: ((yes: boolean) => void)[] = [];
  const attempt = new Attempt(
    {} as HeldBatch,
    { n: 0, beginsBefore, sourceType: 'CAMPAIGN', dueAt: 0 } as ClaimedEmail,
    { envelope: { from: '', to: [] }, mime: Buffer.alloc(0), subject: null } as unknown as ComposedMessage,
    {
      begin: (_batch, _n, granted) => asked.push(granted),
      connected: () => undefined,
      ended: () => undefined,
    },
  );
  const answers: boolean[] = [];
  attempt.begin((yes) => answers.push(yes));
  return { asked, answers };
}

it('a message that quiet hours have overtaken does not begin, and nothing is recorded of it', async () => {
  const { asked, answers } = attemptWith(performance.now() - 1);
  expect(answers).toEqual([]);
  await turn();
  expect([asked.length, answers]).toEqual([0, [false]]);
});

it('one whose beginning is granted only after they have begun does not begin either', () => {
  const later = performance.now() + 60_000;
  const { asked, answers } = attemptWith(later);
  vi.spyOn(performance, 'now').mockReturnValue(later);
  asked[0]?.(true);
  expect(answers).toEqual([false]);
});

it.each([null, Number.POSITIVE_INFINITY])('otherwise the recorder decides (%s)', (beginsBefore) => {
  const { asked, answers } = attemptWith(beginsBefore);
  asked[0]?.(true);
  asked[0]?.(false);
  expect(answers).toEqual([true, false]);
});
