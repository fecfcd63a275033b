import type { Services } from '@postrider/core/base/kernel';
import { expect, it } from 'vitest';
import { runSweeps, type Sweep } from './run-sweeps.ts';

/** A kind with rows; removing them fails while `isRefused` holds for the number of rows asked for. */
function kindOf(kind: string, rows: number, isRefused: (limit: number) => boolean = () => false) {
  const state = { left: rows, calls: 0 };
  const sweep: Sweep = {
    kind,
    async remove(_services, _now, limit) {
      state.calls += 1;
      if (isRefused(limit)) throw new Error(`${kind} fails`);
      const removed = Math.min(limit, state.left);
      state.left -= removed;
      return removed;
    },
  };
  return { sweep, state };
}

function testServices() {
  const logged: string[] = [];
  const log = { error: ({ kind }: { kind: string }) => logged.push(kind) };
  return { services: { log } as unknown as Services, logged };
}

const minute = 60_000;

it('each kind is removed until nothing is left, however much there is', async () => {
  const { services } = testServices();
  const large = kindOf('large', 30_000);
  const small = kindOf('small', 3);
  expect(await runSweeps(services, [large.sweep, small.sweep], minute)).toBe(30_003);
  expect([large.state.left, small.state.left]).toEqual([0, 0]);
});

it('a kind that fails stops no other one, and is named', async () => {
  const { services, logged } = testServices();
  const broken = kindOf('broken', 10, () => true);
  const after = kindOf('after', 2_500);
  await expect(runSweeps(services, [broken.sweep, after.sweep], minute)).rejects.toThrow(
    'old data was not removed: broken',
  );
  expect(after.state.left).toBe(0);
  expect(logged).toEqual(['broken']);
});

it('nothing of a kind is removed unless its preparation succeeded', async () => {
  const { services } = testServices();
  const { sweep, state } = kindOf('prepared', 10);
  const prepare = async () => {
    throw new Error('away');
  };
  await expect(runSweeps(services, [{ ...sweep, prepare }], minute)).rejects.toThrow('prepared');
  expect(state).toEqual({ left: 10, calls: 0 });
});

it('a statement that takes too long is tried with fewer rows', async () => {
  const { services, logged } = testServices();
  const slow = kindOf('slow', 5_000, (limit) => limit > 300);
  expect(await runSweeps(services, [slow.sweep], minute)).toBe(5_000);
  expect(logged).toEqual([]);
});

it('a run that has used its time says that there is more', async () => {
  const { services } = testServices();
  const kinds = [kindOf('large', 3_000_000), kindOf('broken', 1, () => true)];
  const removed = await runSweeps(
    services,
    kinds.map(({ sweep }) => sweep),
    200,
  );
  expect(removed).toBeGreaterThan(0);
});
