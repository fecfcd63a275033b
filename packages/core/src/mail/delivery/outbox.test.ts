import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Owners, ownTurns } from '../../base/kernel/index.ts';
import { Outbox } from './outbox.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

const taken = (
  outbox: Outbox,
  { emails = 1_000, projects = 10, room = 500, ofTurn = 10_000 } = {},
): string[] =>
  outbox
    .take({ emails, projects, ofProject: () => room, ofTurn: () => ofTurn })
    .map(({ projectId }) => projectId);

function outboxOf(...projects: string[]): Outbox {
  const outbox = new Outbox('bulk', ownTurns, () => undefined);
  for (const projectId of projects) outbox.add(projectId);
  return outbox;
}

const claimed = (outbox: Outbox, projectId: string, count: number, tokensInMs: number | null = null): void =>
  outbox.claimed([{ projectId, more: true, tokensInMs }], new Map([[projectId, count]]));

describe('the projects to claim for', () => {
  it('take turns: one with more email goes to the end', () => {
    const outbox = outboxOf('a', 'b', 'c');
    expect(taken(outbox, { projects: 1 })).toEqual(['a']);
    claimed(outbox, 'a', 500);
    expect(taken(outbox, { projects: 3, emails: 5_000 })).toEqual(['b', 'c', 'a']);
  });

  it('are as many as fill the room, by the size of their last claims', () => {
    const outbox = outboxOf('a', 'b', 'c', 'd');
    expect(taken(outbox, { emails: 500 })).toEqual(['a']);
    claimed(outbox, 'a', 50);
    taken(outbox, { emails: 5_000 });
    for (const each of ['b', 'c', 'd']) claimed(outbox, each, 50);
    expect(taken(outbox, { emails: 150 })).toEqual(['b', 'c', 'd']);
  });

  it('take the turns of their owners, and of no owner more than leaves room for others', () => {
    const byOwner: Owners = {
      turnOf: (projectId) => ({ owner: projectId.charAt(0), isProven: true }),
      known: () => null,
    };
    const outbox = new Outbox('bulk', byOwner, () => undefined);
    const names = ['a1', 'a2', 'a3', 'a4', 'b1'];
    for (const projectId of names) outbox.add(projectId);
    taken(outbox, { emails: 5_000 });
    for (const projectId of names) claimed(outbox, projectId, 100);
    expect(taken(outbox, { emails: 5_000, projects: 3 })).toEqual(['a1', 'b1', 'a2']);
    for (const projectId of ['a1', 'b1', 'a2']) claimed(outbox, projectId, 100);
    // 100 each: a second project of the owner would leave nothing for one more.
    expect(taken(outbox, { emails: 5_000, ofTurn: 300 })).toEqual(['a3', 'b1']);
  });

  it('leave the outbox when nothing more of them is due', () => {
    const outbox = outboxOf('a');
    taken(outbox);
    outbox.claimed([{ projectId: 'a', more: false, tokensInMs: null }], new Map([['a', 3]]));
    expect(outbox.has('a')).toBe(false);
    expect(outbox.nextInMs).toBeNull();
  });

  it('without room for them stay for later', () => {
    const outbox = outboxOf('a');
    expect(taken(outbox, { room: 0 })).toEqual([]);
    expect(taken(outbox)).toEqual(['a']);
  });

  it('without room for them are not looked at in a loop, which keeps the processor from other processes', () => {
    const outbox = outboxOf('a', 'b');
    taken(outbox, { room: 0 });
    expect(outbox.nextInMs).toBeGreaterThanOrEqual(20);
    taken(outbox, { projects: 1 });
    claimed(outbox, 'a', 20, 10_000);
    taken(outbox, { room: 0 });
    expect(outbox.nextInMs).toBeLessThan(100);
  });
});

describe('a project at its rate', () => {
  it('is not claimed for before its tokens are there, whatever new email arrives', () => {
    const outbox = outboxOf('a');
    taken(outbox);
    claimed(outbox, 'a', 20, 300);
    outbox.add('a');
    expect(outbox.nextInMs).toBe(300);
    vi.advanceTimersByTime(299);
    expect(taken(outbox)).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(taken(outbox)).toEqual(['a']);
  });

  it('waits for at least a fifth of a second of tokens', () => {
    const outbox = outboxOf('a');
    taken(outbox);
    claimed(outbox, 'a', 20, 10);
    expect(outbox.nextInMs).toBe(200);
  });

  it('of which a claim took nothing is asked for again soon, not at once', () => {
    const outbox = outboxOf('a');
    taken(outbox);
    claimed(outbox, 'a', 0);
    expect(outbox.nextInMs).toBe(100);
  });
});

it('wakes the claimer for a project that becomes due, not for one that is due already', () => {
  const onDue = vi.fn();
  const outbox = new Outbox('direct', ownTurns, onDue);
  outbox.add('a');
  outbox.add('a');
  expect(onDue).toHaveBeenCalledTimes(1);
});
