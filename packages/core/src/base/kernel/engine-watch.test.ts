import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineWatch } from './engine-watch.ts';

/** A server that answers, or does not, and counts how often it is asked. */
const healthy = vi.fn<() => Promise<boolean>>();
let watch: EngineWatch;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  healthy.mockReset();
  watch = new EngineWatch({ healthy });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what holds up a record', () => {
  it('is the engine while it has never answered, and nothing for a record without work for it', async () => {
    healthy.mockResolvedValue(false);
    expect(await watch.holdUpOf(false)).toBeNull();
    expect(healthy).not.toHaveBeenCalled();
    expect(await watch.holdUpOf(true)).toBe('engine');
    expect(await watch.last()).toMatchObject({ state: 'starting' });
  });

  it('is nothing while it answers', async () => {
    healthy.mockResolvedValue(true);
    expect(await watch.holdUpOf(true)).toBeNull();
  });

  it('follows an engine that comes and goes, which is asked again when the answer is old', async () => {
    const seen = [];
    for (const answers of [true, false, true, false]) {
      healthy.mockResolvedValue(answers);
      vi.advanceTimersByTime(5_000);
      // The first look asks beside the request, the second has the answer.
      await watch.last();
      seen.push(await watch.holdUpOf(true));
    }
    expect(seen).toEqual([null, 'engine', null, 'engine']);
    expect(healthy).toHaveBeenCalledTimes(4);
  });

  it('is asked for once, however many records and requests want it', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    healthy.mockReturnValue(promise);
    const all = Promise.all(Array.from({ length: 1_000 }, () => watch.holdUpOf(true)));
    resolve(false);
    expect(new Set(await all)).toEqual(new Set(['engine']));
    expect(healthy).toHaveBeenCalledTimes(1);
  });
});
