interface DebounceOptions<Args extends unknown[]> {
  /** calls of the same key are debounced together */
  keyOf(...args: Args): string;
  /** how long the first call waits for others before it runs; by default it runs at once */
  delayMs?: number;
  /** the pause between the end of a run and the next one of its key */
  pauseMs(tookMs: number): number;
}

/**
 * Runs `work` for the first call of a key, and once more, after a pause, for all calls that arrive while it runs or pauses. So the
 * last call is always followed by a run. `work` must not reject.
 */
export function debouncePerKey<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
  { keyOf, delayMs = 0, pauseMs }: DebounceOptions<Args>,
): (...args: Args) => void {
  const open = new Map<string, { running: boolean; again: boolean }>();

  const call = (...args: Args): void => {
    const key = keyOf(...args);
    const state = open.get(key);
    if (state) {
      // A run that has not begun covers this call too.
      state.again ||= state.running;
      return;
    }
    open.set(key, { running: false, again: false });
    if (delayMs === 0) void run(key, args);
    else setTimeout(() => void run(key, args), delayMs);
  };

  const run = async (key: string, args: Args): Promise<void> => {
    const state = { running: true, again: false };
    open.set(key, state);
    const start = performance.now();
    await work(...args);
    const next = (): void => {
      open.delete(key);
      if (state.again) call(...args);
    };
    const pause = pauseMs(performance.now() - start);
    if (pause === 0) next();
    else setTimeout(next, pause).unref();
  };

  return call;
}
