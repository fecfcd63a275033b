import type { HttpAnswer, HttpConnection } from '@postrider/harness/http-connection';
import { percentile } from '@postrider/harness/statistics';

export interface LoadPlan {
  connections: number;
  open(): Promise<HttpConnection>;
  warmUpSeconds: number;
  seconds: number;
  /** Sends the next request. */
  request(connection: HttpConnection): Promise<HttpAnswer>;
  /** the status of every reply */
  status: number;
  /** CPU time that the servers have used so far, in seconds */
  cpu(): Promise<number>;
}

export interface LoadFigures {
  requestsPerSecond: number;
  /** all replies, those of the warm-up included */
  answered: number;
  p50: number;
  p99: number;
  /** CPU time per request, warm-up included */
  cpuMs: number;
}

/** Sends requests as fast as they are answered, one at a time per connection. @throws Error on a reply with another status */
export async function loadHttp(plan: LoadPlan): Promise<LoadFigures> {
  const lanes = await Promise.all(Array.from({ length: plan.connections }, () => plan.open()));
  const latencies: number[] = [];
  let answered = 0;
  const cpuBefore = await plan.cpu();
  const from = performance.now() + plan.warmUpSeconds * 1_000;
  const until = from + plan.seconds * 1_000;
  const work = async (lane: HttpConnection): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      if (begun >= until) return;
      const { status, body, ms } = await plan.request(lane);
      if (status !== plan.status) throw new Error(`The answer is ${status}: ${body.slice(0, 300)}`);
      answered += 1;
      if (begun >= from) latencies.push(ms);
    }
  };
  try {
    await Promise.all(lanes.map(work));
  } finally {
    for (const lane of lanes) lane.close();
  }
  return {
    requestsPerSecond: latencies.length / plan.seconds,
    answered,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    cpuMs: (((await plan.cpu()) - cpuBefore) * 1_000) / Math.max(1, answered),
  };
}
