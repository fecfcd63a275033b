import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { median, percentile } from '@postrider/harness/statistics';
import { emailIdsOf, measureWakeLatency, untilIdle } from '@postrider/harness/wake-latency';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario } from './scenario.ts';
import { withStack } from './with-stack.ts';

const overSeconds = 60;
const connections = 40;
const samples = 25;
const stallMs = 60_000;
const goalMs = 50;

export const burst: Scenario = {
  name: 'burst',
  summary:
    'many /v1/send within a minute to one project: none lost, each once, and the time to the mail server',
  recipients: 20_000,
  mostSeeds: 1,
  run(options) {
    const { recipients, seed, log } = options;
    // Leases as in production, because this run kills nothing.
    return withStack(
      options,
      { env: { DELIVERY_LEASE_SECONDS: '60', RECONCILE_SECONDS: '60' } },
      async (chaos) => {
        const random = createRandom(seed);
        const project = await createProject(chaos.db, {
          appSecret: chaos.stack.env.APP_SECRET ?? '',
          signed: true,
        });
        log(`${recipients} requests in ${overSeconds} s`);
        const { accepted, refused, latencies } = await sendBurst(chaos, project, recipients, random);
        log(`${accepted.size} accepted; waiting until all of it is settled`);
        await untilSettled(chaos, { stallMs });
        const problems = [...refused, ...(await missing(chaos, accepted))];
        log('measuring the way to the sink while delivery is idle');
        const idle = await measureWakeLatency(chaos, project, {
          samples,
          before: () => untilIdle(chaos, project.id),
        });
        if (median(idle) >= goalMs)
          problems.push(`idle delivery starts after ${median(idle).toFixed(0)} ms (goal: under ${goalMs})`);
        const report = await compareLedgerWithSink(chaos.db, chaos.sink);
        return {
          reports: [report],
          problems,
          notes: [
            ...describeReport(report),
            `/v1/send during the burst: p50 ${median(latencies).toFixed(1)} ms, p99 ${percentile(latencies, 99).toFixed(1)} ms`,
            describeLatency(idle),
          ],
        };
      },
    );
  },
};

const describeLatency = (ms: number[]): string =>
  `answer of /v1/send to sink, idle: median ${median(ms).toFixed(0)} ms, p95 ${percentile(ms, 95).toFixed(0)} ms, ` +
  `max ${Math.max(...ms).toFixed(0)} ms (${ms.length} samples)`;

interface Burst {
  /** ids of all accepted emails */
  accepted: Set<string>;
  refused: string[];
  latencies: number[];
}

/** Spreads the requests evenly over the time. Three of four go to new addresses, the others repeatedly to a few. */
async function sendBurst(
  chaos: ChaosStack,
  project: TestProject,
  count: number,
  random: Random,
): Promise<Burst> {
  const result: Burst = { accepted: new Set(), refused: [], latencies: [] };
  const lanes = await Promise.all(
    Array.from({ length: connections }, () =>
      openHttpConnection(chaos.stack.urls.api, `Bearer ${project.secretKey}`),
    ),
  );
  const begun = performance.now();
  let next = 0;
  const work = async (connection: HttpConnection): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      if (index >= count) return;
      const early = begun + (index * overSeconds * 1_000) / count - performance.now();
      if (early > 0) await sleep(early);
      await sendOne(connection, burstRequest(project.from, index, random), result);
    }
  };
  await Promise.all(lanes.map(work));
  for (const lane of lanes) lane.close();
  const tookMs = performance.now() - begun;
  if (tookMs > overSeconds * 1_000 * 1.05) {
    result.refused.push(
      `${count} requests took ${(tookMs / 1_000).toFixed(1)} s instead of ${overSeconds} s`,
    );
  }
  return result;
}

async function sendOne(
  connection: HttpConnection,
  body: string,
  { accepted, refused, latencies }: Burst,
): Promise<void> {
  const answer = await connection.post('/v1/send', body);
  latencies.push(answer.ms);
  if (answer.status === 200) for (const id of emailIdsOf(answer.body)) accepted.add(id);
  else refused.push(`/v1/send answered ${answer.status}: ${answer.body.slice(0, 200)}`);
}

const burstRequest = (from: string, index: number, random: Random): string =>
  JSON.stringify({
    to: random.next() < 0.75 ? `burst${index}@people.test` : `regular${random.whole(0, 200)}@people.test`,
    from,
    subject: 'Receipt {{number}}',
    body: '<p>Dear {{name ?? reader}}, this is receipt {{number}}. <a href="https://example.com/r/{{number}}">See it</a></p>',
    data: { number: { value: index, persistent: false } },
  });

/** Accepted emails that did not arrive exactly once. */
async function missing({ sink }: ChaosStack, accepted: Set<string>): Promise<string[]> {
  const times = new Map<string, number>();
  for (const { emailId } of await sink.messages()) times.set(emailId, (times.get(emailId) ?? 0) + 1);
  return [...accepted].flatMap((id) => {
    const count = times.get(id) ?? 0;
    return count === 1 ? [] : [`email ${id} was accepted and reached the sink ${count} times`];
  });
}
