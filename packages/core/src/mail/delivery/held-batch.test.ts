import { describe, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/ids.ts';
import { priorities } from '../ledger/ledger.rules.ts';
import type { ClaimedEmail } from '../ledger/read.store.ts';
import { hasBit } from './bits.ts';
import { HeldBatch } from './held-batch.ts';

const emailAt = (n: number): ClaimedEmail => ({
  n,
  id: newId(),
  projectId: 'project',
  campaignId: 'campaign',
  domainId: null,
  priority: priorities.CAMPAIGN,
  to: `${n}@people.test`,
  toName: null,
  type: 'MARKETING',
  sourceType: 'CAMPAIGN',
  contentId: 'content',
  vars: null,
  tracked: false,
  attempts: 0,
  contactId: newId(),
  contactEmail: `${n}@people.test`,
  contactSubscribed: true,
  contactData: null,
  acceptedSubscribed: null,
  suppressed: false,
  toOther: false,
  shared: null,
  otherOptedOut: false,
  topicOff: false,
  outsideSandbox: false,
  unprovenOwner: null,
  isBeyondSandbox: false,
  invalid: false,
  uncertain: false,
  limitedIn: null,
  limited: null,
  dueAt: 0,
  beginsBefore: null,
});

function held(size: number, positions = Array.from({ length: size }, (_, n) => n)): HeldBatch {
  const key = { id: newId(), token: newId(), projectId: 'project', campaignId: 'campaign', count: size };
  const batch = new HeldBatch(key, 'bulk', performance.now(), 60_000);
  batch.fill({ emails: positions.map(emailAt), answeredForMs: null });
  return batch;
}

const bits = (buffer: Buffer, size: number): number[] =>
  Array.from({ length: size }, (_, n) => n).filter((n) => hasBit(buffer, n));

/** Records everything that the batch has by now. */
const record = (batch: HeldBatch) => {
  const snapshot = batch.snapshot();
  batch.recorded(snapshot);
  return snapshot.progress;
};

describe('the state that is recorded', () => {
  it('is absolute: beginnings and answers of the whole batch, results only once', () => {
    const batch = held(20);
    for (const n of [0, 9, 17]) expect(batch.begin(n)).toBe(true);
    batch.answer(9, { outcome: 'retry', waitMs: 5 });
    const first = record(batch);
    expect(bits(first.begun, 20)).toEqual([0, 9, 17]);
    expect(bits(first.answered, 20)).toEqual([9]);
    expect(first.results).toEqual({ 9: { outcome: 'retry', waitMs: 5 } });
    batch.answer(0);
    const second = record(batch);
    expect(bits(second.begun, 20)).toEqual([0, 9, 17]);
    expect(bits(second.answered, 20)).toEqual([0, 9]);
    expect(second.results).toBeNull();
  });

  it('is not changed by what happens while it is recorded', () => {
    const batch = held(8);
    batch.begin(1);
    const { progress } = batch.snapshot();
    batch.begin(2);
    batch.answer(1);
    expect([bits(progress.begun, 8), bits(progress.answered, 8)]).toEqual([[1], []]);
  });

  it('keeps results whose record failed', () => {
    const batch = held(3);
    batch.answer(0, { outcome: 'failed', error: 'no' });
    batch.restore(batch.snapshot());
    batch.answer(1);
    expect(record(batch).results).toEqual({ 0: { outcome: 'failed', error: 'no' } });
    expect(batch.durable).toBe(2);
  });

  it('marks positions whose email is settled already', () => {
    const batch = held(4, [1, 3]);
    expect(record(batch).results).toEqual({ 0: { outcome: 'gone' }, 2: { outcome: 'gone' } });
    expect(batch.backlog).toBe(2);
  });

  it('is complete when every position is answered durably', () => {
    const batch = held(2);
    batch.answer(0);
    batch.answer(1);
    expect(batch.isAnswered).toBe(false);
    record(batch);
    expect(batch.isAnswered).toBe(true);
  });
});

describe('an email of the batch', () => {
  it('has one result: the first', () => {
    const batch = held(1);
    expect(batch.answer(0, { outcome: 'skipped', reason: 'cancelled' })).toBe(true);
    expect(batch.answer(0)).toBe(false);
    expect(record(batch).results).toEqual({ 0: { outcome: 'skipped', reason: 'cancelled' } });
  });

  it('begins once, and never after its result', () => {
    const batch = held(2);
    expect([batch.begin(0), batch.begin(0)]).toEqual([true, false]);
    batch.answer(1, { outcome: 'giveback' });
    expect(batch.begin(1)).toBe(false);
  });

  it('leaves the backlog when it begins or is answered, once', () => {
    const batch = held(3);
    batch.begin(0);
    batch.answer(0);
    batch.answer(1);
    expect(batch.backlog).toBe(1);
  });
});

describe('a cancelled or paused campaign', () => {
  it('begins nothing more and gives back what has not begun, also what the transport has taken', () => {
    const batch = held(4);
    batch.begin(0);
    batch.take(1);
    expect(batch.stop()).toBe(true);
    expect(batch.begin(1)).toBe(false);
    batch.answer(0);
    const { results } = record(batch);
    expect(Object.keys(results ?? {})).toEqual(['1', '2', '3']);
    expect(batch.isAnswered).toBe(true);
  });
});

describe('what is given back', () => {
  it('is what the transport has not taken', () => {
    const batch = held(4);
    batch.begin(0);
    batch.take(1);
    batch.giveBackWaiting();
    expect(record(batch).results).toEqual({ 2: { outcome: 'giveback' }, 3: { outcome: 'giveback' } });
    expect(batch.giveBackWaiting()).toBe(false);
  });
});

describe('the lease', () => {
  it('counts from before the question and ends 15 % early', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const batch = held(1);
      vi.advanceTimersByTime(50_000);
      expect(batch.holds).toBe(true);
      vi.advanceTimersByTime(1_001);
      expect(batch.holds).toBe(false);
      batch.renewed(performance.now(), 60_000);
      expect(batch.holds).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a batch that was taken over', () => {
  it('yields the answers of transfers that had begun and were not recorded', () => {
    const batch = held(5);
    for (const n of [0, 1, 2]) batch.begin(n);
    batch.answer(0);
    record(batch);
    batch.answer(1, { outcome: 'failed', error: 'no' }, 'Subject');
    batch.answer(3, { outcome: 'giveback' });
    const late = batch.lose();
    expect(late).toEqual([
      {
        emailId: batch.emails[1]?.id,
        token: batch.token,
        priority: batch.emails[1]?.priority,
        result: { outcome: 'failed', error: 'no' },
        subject: 'Subject',
      },
    ]);
    expect([batch.begin(4), batch.answer(2), batch.holds]).toEqual([false, false, false]);
  });

  it('yields the answers of a snapshot that was being recorded when the loss was noticed', () => {
    const batch = held(3);
    for (const n of [0, 1]) batch.begin(n);
    batch.answer(0);
    batch.answer(1, { outcome: 'failed', error: 'no' });
    const snapshot = batch.snapshot();
    expect(batch.lose()).toEqual([]);
    batch.restore(snapshot);
    expect(batch.lose().map(({ emailId, result }) => [emailId, result.outcome])).toEqual([
      [batch.emails[0]?.id, 'sent'],
      [batch.emails[1]?.id, 'failed'],
    ]);
    expect(batch.lose()).toEqual([]);
  });
});
