export interface ProbeFigures {
  /** in milliseconds, one per reply */
  latencies: number[];
  /** one sentence per request without a 200 reply in time */
  failures: string[];
}

/**
 * Requests an address at intervals, by default of 100 ms, without waiting for earlier replies, so that a slow reply
 * does not hide others.
 *
 * @param patienceMs a reply that takes longer is a failure
 */
export function probe(
  address: string | URL,
  { secretKey, patienceMs, everyMs = 100 }: { secretKey?: string; patienceMs: number; everyMs?: number },
): { stop(): Promise<ProbeFigures> } {
  const latencies: number[] = [];
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  const headers = secretKey === undefined ? {} : { authorization: `Bearer ${secretKey}` };
  const ask = async (): Promise<void> => {
    const begun = performance.now();
    try {
      const answer = await fetch(address, { headers, signal: AbortSignal.timeout(patienceMs) });
      const text = await answer.text();
      latencies.push(performance.now() - begun);
      if (answer.status !== 200) failures.push(`answered ${answer.status}: ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const timer = setInterval(() => {
    const asked = ask().finally(() => open.delete(asked));
    open.add(asked);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { latencies, failures };
    },
  };
}
