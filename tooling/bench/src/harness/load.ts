import { type HttpConnection, openHttpConnection } from '@postrider/chaos/harness/http-connection';
import { percentile } from '@postrider/chaos/harness/statistics';

export interface LoadPlan {
  origin: string;
  secretKey: string;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  /** body of the next request */
  body(): string;
  /** CPU time that the servers have used so far, in seconds */
  cpu(): Promise<number>;
}

export interface LoadFigures {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** CPU time per request, warm-up included */
  cpuMs: number;
}

/** Sends requests to `/v1/send` as fast as it replies, one at a time per connection. @throws Error on a reply other than 200 */
export async function loadSend(plan: LoadPlan): Promise<LoadFigures> {
  const open = Array.from({ length: plan.connections }, () =>
    openHttpConnection(plan.origin, `Bearer ${plan.secretKey}`),
  );
  const lanes = await Promise.all(open);
  const latencies: number[] = [];
  let answered = 0;
  const cpuBefore = await plan.cpu();
  const from = performance.now() + plan.warmUpSeconds * 1_000;
  const until = from + plan.seconds * 1_000;
  const work = async (lane: HttpConnection): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      if (begun >= until) return;
      const { status, body, ms } = await lane.post('/v1/send', plan.body());
      if (status !== 200) throw new Error(`/v1/send answered ${status}: ${body.slice(0, 300)}`);
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
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    cpuMs: (((await plan.cpu()) - cpuBefore) * 1_000) / Math.max(1, answered),
  };
}
