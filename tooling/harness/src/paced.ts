import { setTimeout as sleep } from 'node:timers/promises';

/** Work that is started at a constant rate until it is stopped, however long each piece takes. */
export interface Paced {
  /** @returns the number of pieces that were started, when all of them have ended. Rejects if one of them failed. */
  stop(): Promise<number>;
}

/** @param work receives the number of the piece, from 0 on */
export function startPaced(perSecond: number, work: (index: number) => Promise<void>): Paced {
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const stopping = new AbortController();
  const begun = performance.now();
  let started = 0;
  const start = (): void => {
    const piece: Promise<void> = work(started)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => open.delete(piece));
    open.add(piece);
    started += 1;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      while (started < ((performance.now() - begun) * perSecond) / 1_000) start();
      await sleep(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(open);
      if (failures.length > 0) throw failures[0];
      return started;
    },
  };
}
