import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { debouncePerKey } from './debounce.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted(options: { delayMs?: number; pauseMs?: (tookMs: number) => number; tookMs?: number } = {}) {
  const runs: string[] = [];
  const { delayMs = 0, pauseMs = () => 100, tookMs = 0 } = options;
  const call = debouncePerKey(
    async (key: string) => {
      runs.push(key);
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    },
    { keyOf: (key) => key, delayMs, pauseMs },
  );
  return { runs, call };
}

describe('without a delay', () => {
  it('runs at once, and once more after the pause for all calls of the meantime', async () => {
    const { runs, call } = counted();
    for (let each = 0; each < 20; each += 1) call('a');
    expect(runs).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(99);
    expect(runs).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual(['a', 'a']);
  });

  it('keeps keys apart', () => {
    const { runs, call } = counted();
    call('a');
    call('b');
    expect(runs).toEqual(['a', 'b']);
  });

  it('counts the pause from the end of a run, adapted to its duration', async () => {
    const { runs, call } = counted({ tookMs: 50, pauseMs: (tookMs) => 10 * tookMs });
    call('a');
    call('a');
    await vi.advanceTimersByTimeAsync(549);
    expect(runs).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toEqual(['a', 'a']);
  });
});

describe('with a delay', () => {
  it('runs once for all calls within it', async () => {
    const { runs, call } = counted({ delayMs: 10, pauseMs: () => 0 });
    call('a');
    call('a');
    expect(runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual(['a']);
  });

  it('runs again for a call that arrives during the run', async () => {
    const { runs, call } = counted({ delayMs: 10, pauseMs: () => 0, tookMs: 5 });
    call('a');
    await vi.advanceTimersByTimeAsync(12);
    call('a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toEqual(['a', 'a']);
  });
});
