import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import { InteractionQueue, type InteractionQueueOptions } from './interaction-queue.ts';
import type { Interaction } from './interactions.store.ts';

const interaction = (link: string | null = null): Interaction => ({
  id: newId(),
  type: link === null ? 'open' : 'click',
  emailId: newId(),
  link,
  bot: false,
  client: 'Thunderbird',
  device: 'desktop',
  receivedAt: 0,
  times: 1,
});
const several = (count: number): Interaction[] => Array.from({ length: count }, () => interaction());

const away = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const wrong = (): Error => Object.assign(new Error('value out of range'), { code: '22003' });

type Store = InteractionQueueOptions['store'];
let stored: string[];
let refused: string[];

const queueWith = (store: Store, more: Partial<InteractionQueueOptions> = {}): InteractionQueue =>
  new InteractionQueue({
    most: { count: 1_000, bytes: 1_000_000 },
    groupSize: 10,
    patience: { ms: 10_000, requests: 5 },
    longestPauseMs: 1_000,
    alike: () => null,
    store,
    refused: (_error, { id }) => void refused.push(id),
    ...more,
  });
const keep: Store = async (group) => {
  stored.push(...group.map(({ id }) => id));
  return [];
};
const ids = (interactions: readonly Interaction[]): string[] => interactions.map(({ id }) => id);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stored = [];
  refused = [];
});
afterEach(() => void vi.useRealTimers());

it('accepts at once, and stores in the order of arrival, in groups', async () => {
  const sizes: number[] = [];
  const queue = queueWith(async (group, options) => {
    sizes.push(group.length);
    expect(options).toEqual({ isRepeat: false });
    return keep(group, options);
  });
  const all = several(25);
  for (const each of all) await queue.add(each);
  expect([queue.length, stored]).toEqual([25, []]);
  await queue.settled();
  expect(stored).toEqual(ids(all));
  expect(sizes).toEqual([10, 10, 5]);
  expect(queue.length).toBe(0);
});

it('those that only count are added to one like them that waits, and never to one in a statement', async () => {
  const groups: [string | null, number][][] = [];
  const queue = queueWith(
    async (group) => {
      groups.push(group.map(({ link, times }) => [link, times]));
      if (groups.length === 1) for (let more = 0; more < 5; more += 1) await queue.add(interaction('/flood'));
      return [];
    },
    { most: { count: 4, bytes: 1_000_000 }, alike: ({ link }) => link },
  );
  await queue.add(interaction('/flood'));
  await queue.add(interaction('/other'));
  await queue.add(interaction());
  for (let more = 0; more < 1_000; more += 1) await queue.add(interaction('/flood'));
  await queue.add(interaction('/other'));
  expect(queue.length).toBe(3);
  await queue.settled();
  expect(groups).toEqual([
    [
      ['/flood', 1_001],
      ['/other', 2],
      [null, 1],
    ],
    [['/flood', 5]],
  ]);
});

it('keeps everything while the database is away, and repeats the statement as one that may have been committed', async () => {
  const attempts: boolean[] = [];
  const queue = queueWith(async (group, options) => {
    attempts.push(options.isRepeat);
    if (attempts.length < 6) throw away();
    return keep(group, options);
  });
  const all = several(12);
  for (const each of all) await queue.add(each);
  const settled = queue.settled();
  for (let round = 0; round < 50; round += 1) await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await settled;
  expect(stored).toEqual(ids(all));
  expect(attempts).toEqual([false, true, true, true, true, true, false]);
});

it('an interaction that the database refuses takes no other with it', async () => {
  const all = several(10);
  const bad = all[6]?.id ?? '';
  const queue = queueWith(async (group, options) => {
    if (group.some(({ id }) => id === bad)) throw wrong();
    return keep(group, options);
  });
  for (const each of all) await queue.add(each);
  await queue.settled();
  expect(refused).toEqual([bad]);
  expect(stored.toSorted()).toEqual(ids(all).filter((id) => id !== bad));
});

it('one whose email is locked elsewhere is stored later, after the others', async () => {
  vi.useRealTimers();
  const all = several(3);
  const [busy = ''] = ids(all);
  let calls = 0;
  const queue = queueWith(async (group, options) => {
    calls += 1;
    const waits = calls < 4 ? [busy] : [];
    await keep(
      group.filter(({ id }) => !waits.includes(id)),
      options,
    );
    return waits;
  });
  for (const each of all) await queue.add(each);
  await queue.settled();
  expect(stored).toEqual([...ids(all).slice(1), busy]);
});

it.each([
  ['interactions', { count: 3, bytes: 1_000_000 }],
  ['bytes', { count: 1_000, bytes: 900 }],
])('full by its bound of %s: requests wait for room, then are accepted in order', async (_bound, most) => {
  vi.useRealTimers();
  const database = Promise.withResolvers<void>();
  const queue = queueWith(
    async (group, options) => {
      await database.promise;
      return keep(group, options);
    },
    { most },
  );
  const all = several(5);
  let accepted = 0;
  const adding = all.map((each) => queue.add(each).then(() => (accepted += 1)));
  await new Promise((resolve) => setImmediate(resolve));
  expect([accepted, queue.length]).toEqual([3, 3]);
  database.resolve();
  await Promise.all(adding);
  await queue.settled();
  expect(stored).toEqual(ids(all));
});

it('a request that finds no room for too long is refused, and its interaction is not stored', async () => {
  const database = Promise.withResolvers<void>();
  const queue = queueWith(
    async (group, options) => {
      await database.promise;
      return keep(group, options);
    },
    { most: { count: 2, bytes: 1_000_000 }, patience: { ms: 10_000, requests: 1 } },
  );
  const [first, second, third, fourth] = several(4) as [Interaction, Interaction, Interaction, Interaction];
  await queue.add(first);
  await queue.add(second);
  const late = queue.add(third);
  const waited = expect(late).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { retryAfter: 1 },
  });
  await expect(queue.add(fourth)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  await vi.advanceTimersByTimeAsync(10_000);
  await waited;
  database.resolve();
  await queue.settled();
  expect(stored).toEqual(ids([first, second]));
});
