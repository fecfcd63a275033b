import { describe, expect, it } from 'vitest';
import { ownTurns } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/ids.ts';
import { type Kind, priorities } from '../ledger/ledger.rules.ts';
import type { ClaimedEmail } from '../ledger/read.store.ts';
import { Attempt } from './attempt.ts';
import { HeldBatch } from './held-batch.ts';
import { ReadyQueue } from './ready-queue.ts';

const events = { begin: () => undefined, connected: () => undefined, ended: () => undefined };

/** A queue over a transport with that many connections, all free, and a message in it for each name. */
function queueOf(connections: number, gate = { admits: () => true }) {
  const load = {
    allowed: connections,
    free: connections,
    wanted: 0,
    want: () => {
      load.wanted += 1;
    },
  };
  const queue = new ReadyQueue(ownTurns, load, gate, () => undefined);
  const batches: HeldBatch[] = [];
  const add = (
    projectId: string,
    kind: Kind,
    name: string,
    priority: number = priorities.TRANSACTIONAL,
    attempts = 0,
  ): HeldBatch => {
    const key = { id: newId(), token: newId(), projectId, campaignId: null, count: 1 };
    const batch = new HeldBatch(key, kind, performance.now(), 60_000);
    const email = { n: 0, id: name, priority, attempts } as ClaimedEmail;
    batch.fill({ emails: [email], answeredForMs: null });
    batches.push(batch);
    const message = { envelope: { from: '', to: name }, mime: Buffer.from(name), subject: null };
    queue.add(new Attempt(batch, email, message, events));
    return batch;
  };
  /** Asks as the transport does for a free connection, which is occupied then. */
  const next = (chained = false): string | null => {
    const message = queue.next(chained);
    if (message && !chained) load.free -= 1;
    return message?.envelope.to ?? null;
  };
  return { queue, load, add, next, batches };
}

describe('the order of messages', () => {
  it('transactional and workflow email goes before campaigns, owners take turns', () => {
    const { add, next } = queueOf(20);
    add('a', 'bulk', 'campaign');
    for (const name of ['a1', 'a2', 'a3']) add('a', 'direct', name);
    add('b', 'direct', 'b1');
    expect(Array.from({ length: 6 }, () => next())).toEqual(['a1', 'b1', 'a2', 'a3', 'campaign', null]);
  });

  it('new transactional email goes before retries that were composed earlier', () => {
    const { add, next } = queueOf(20);
    for (const name of ['again 1', 'again 2']) add('a', 'direct', name, priorities.TRANSACTIONAL, 1);
    add('a', 'direct', 'receipt');
    expect(Array.from({ length: 3 }, () => next())).toEqual(['receipt', 'again 1', 'again 2']);
  });

  it('transactional email goes before scheduled and workflow email of its project that was composed earlier', () => {
    const { add, next } = queueOf(20);
    for (const name of ['step 1', 'step 2']) add('a', 'direct', name, priorities.WORKFLOW);
    for (const name of ['receipt 1', 'receipt 2']) add('a', 'direct', name);
    expect(Array.from({ length: 4 }, () => next())).toEqual(['receipt 1', 'receipt 2', 'step 1', 'step 2']);
  });

  it('campaigns leave a tenth of the connections free for other email', () => {
    const { add, next } = queueOf(40);
    for (let n = 0; n < 50; n += 1) add('a', 'bulk', 'campaign');
    const taken = Array.from({ length: 40 }, () => next()).filter((name) => name !== null);
    expect(taken).toHaveLength(36);
    add('a', 'direct', 'now');
    expect(next()).toBe('now');
  });

  it('a transport with few connections still sends campaigns', () => {
    const { add, next } = queueOf(1);
    add('a', 'bulk', 'campaign');
    expect(next()).toBe('campaign');
  });

  it('an owner has at most half of the connections while another one waits', () => {
    const { add, next } = queueOf(8);
    for (let n = 0; n < 8; n += 1) add('a', 'direct', 'a');
    for (let n = 0; n < 4; n += 1) expect(next()).toBe('a');
    add('b', 'direct', 'b1');
    add('b', 'direct', 'b2');
    expect([next(), next(), next()]).toEqual(['b1', 'b2', 'a']);
  });
});

describe('a message behind another one on the same connection', () => {
  it('is never a transactional one, which would wait for the answer to the first', () => {
    const { add, next } = queueOf(10);
    add('a', 'direct', 'now');
    expect(next(true)).toBeNull();
    expect(next()).toBe('now');
  });

  it('is one of a campaign, unless other email waits for the connection', () => {
    const { add, next } = queueOf(10);
    add('a', 'bulk', 'c1');
    add('a', 'bulk', 'c2');
    expect(next(true)).toBe('c1');
    add('b', 'direct', 'now');
    expect(next(true)).toBeNull();
  });
});

describe('messages that must not go out', () => {
  it('are dropped when their batch was taken over or cancelled', () => {
    const { add, next } = queueOf(10);
    add('a', 'bulk', 'lost').lose();
    add('a', 'bulk', 'cancelled').stop();
    add('a', 'bulk', 'sent');
    expect([next(), next()]).toEqual(['sent', null]);
  });

  it('wait while their lease is over, without holding others', () => {
    const { add, next } = queueOf(10);
    const batch = add('a', 'direct', 'a');
    batch.renewed(performance.now() - 60_000, 60_000);
    add('b', 'direct', 'b');
    expect([next(), next()]).toEqual(['b', null]);
    batch.renewed(performance.now(), 60_000);
    expect(next()).toBe('a');
  });

  it('wait while the route is paused', () => {
    let open = false;
    const { add, next } = queueOf(10, { admits: () => open });
    add('a', 'direct', 'a1');
    expect(next()).toBeNull();
    open = true;
    expect(next()).toBe('a1');
  });
});

describe('whatever the mail server allows', () => {
  const limits = Array.from({ length: 64 }, (_, index) => index + 1);
  const processes = Array.from({ length: 8 }, (_, index) => index + 1);
  /** What each of the processes gets of the connections that the server allows; some may get none. */
  const sharesOf = (allowed: number, count: number): number[] =>
    Array.from({ length: count }, (_, n) => Math.floor((allowed + n) / count));

  it.each(processes)(
    'with %i processes, campaigns leave, and other email finds a connection where there are two',
    (count) => {
      for (const allowed of limits) {
        let taken = 0;
        for (const share of sharesOf(allowed, count)) {
          const { add, next, load } = queueOf(share);
          for (let n = 0; n < 70; n += 1) add('a', 'bulk', 'campaign');
          while (load.free > 0 && next() === 'campaign') taken += 1;
          if (share >= 2) {
            expect(load.free).toBeGreaterThan(0);
            // Of a few connections, campaigns use all but one.
            if (share <= 10) expect(load.free).toBe(1);
            // What is kept free is a reason to find out whether the server allows more.
            expect(load.wanted).toBeGreaterThan(0);
            add('b', 'direct', 'now');
            expect(next()).toBe('now');
          }
        }
        expect(taken).toBeGreaterThan(0);
      }
    },
  );

  it.each(['direct', 'bulk'] as const)('no project takes all while others wait (%s)', (kind) => {
    for (const allowed of limits) {
      const { add, next, load } = queueOf(allowed);
      for (let n = 0; n < 70; n += 1) add('a', kind, 'a');
      for (let n = 0; n < 70; n += 1) add('b', kind, 'b');
      const taken: string[] = [];
      for (let name = next(); name !== null && load.free >= 0; name = load.free > 0 ? next() : null)
        taken.push(name);
      const usable = kind === 'direct' || allowed < 2 ? allowed : allowed - Math.ceil(allowed / 10);
      expect(taken).toHaveLength(usable);
      if (usable >= 2) expect(new Set(taken)).toEqual(new Set(['a', 'b']));
    }
  });
});

it('composes ahead of the connections within 64 MB', () => {
  const { queue, add } = queueOf(4);
  expect(queue.room('direct')).toBe(260);
  add('a', 'direct', 'x'.repeat(30 * 1_048_576));
  expect(queue.room('direct')).toBe(259);
  add('a', 'direct', 'x'.repeat(40 * 1_048_576));
  expect([queue.room('direct'), queue.room('bulk')]).toEqual([0, 0]);
});
