import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { memoryLevel, untilMemory } from '../../base/kernel/memory-level.ts';
import { ownTurns } from '../../base/kernel/ports/owners.ts';
import { Turnstile } from '../../base/kernel/turnstile.ts';
import { BoundedCache } from '../../base/lib/index.ts';
import { readMemoryLeft } from './read-memory.ts';
import { watchMemory } from './watch-memory.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A watch of a machine with this share of its memory left. */
function watchAt(first: number) {
  const machine = { left: first, released: 0 };
  const threads = {
    release: () => {
      machine.released += 1;
    },
  };
  const read = async () => machine.left;
  stops.push(watchMemory({ log: pino({ level: 'silent' }), threads }, { everyMs: 5, read }));
  return machine;
}

const levelIs = (level: string) => vi.waitUntil(() => memoryLevel() === level);

it.runIf(process.platform === 'linux')(
  'the share of memory that is left is read from the system',
  async () => {
    const left = await readMemoryLeft();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(1);
  },
);

it('below a fifth, threads without a task end and caches hold half', async () => {
  const cache = new BoundedCache<number, number>({ count: 4, bytes: 1_000 }, () => 1);
  for (const n of [1, 2, 3, 4]) cache.set(n, n);
  const machine = watchAt(0.15);
  await levelIs('low');
  cache.set(5, 5);
  expect([1, 2, 3, 4, 5].filter((n) => cache.get(n) !== undefined)).toEqual([4, 5]);
  expect(machine.released).toBeGreaterThan(0);
  machine.left = 0.5;
  await levelIs('enough');
  for (const n of [6, 7]) cache.set(n, n);
  expect([4, 5, 6, 7].filter((n) => cache.get(n) !== undefined)).toHaveLength(4);
});

it('below a tenth, jobs do not begin until there is more', async () => {
  const machine = watchAt(0.05);
  await levelIs('short');
  const jobs = new Turnstile(ownTurns, { what: 'job', places: 4, ofTurn: 3, before: untilMemory });
  let hasBegun = false;
  const job = jobs.run('a project', async () => {
    hasBegun = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hasBegun).toBe(false);
  machine.left = 0.15;
  await job;
  expect(hasBegun).toBe(true);
});
