import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createHttpPool, type HttpPool } from '@postrider/harness/http-pool';
import { startPaced } from '@postrider/harness/paced';
import type { TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';

/** What a project and a load balancer experience, in milliseconds. */
export interface Experience {
  /** 99th percentile of the answers of `/v1/send` */
  sendP99: number;
  sendP50: number;
  /** the slowest answer of `/health/live` */
  slowestHealth: number;
  /** 95th percentile from the answer of `/v1/send` to the mail server */
  toSinkP95: number;
  /** 95th percentile from the answer of `/v1/track` to the mail server, through a workflow */
  workflowP95: number;
  /** requests without a 200 in time */
  failures: number;
}

const sendsPerSecond = 20;
const eventsPerSecond = 3;
const probesPerSecond = 10;
const arrivalPatienceMs = 30_000;

export interface Neighbour {
  project: TestProject;
  /** the event that starts its workflow */
  event: string;
}

/** Sends email and events at a moderate rate for some time, and measures. */
export async function experience(
  { stack, sink }: ChaosStack,
  { project, event }: Neighbour,
  phase: string,
  seconds: number,
): Promise<Experience> {
  const api = createHttpPool(stack.urls.api, `Bearer ${project.secretKey}`);
  const page = createHttpPool(stack.urls.api, `Bearer ${project.publicKey}`);
  const answered = new Map<string, number>();
  const [sendMs, healthMs]: [number[], number[]] = [[], []];
  let failures = 0;
  const post = async (
    pool: HttpPool,
    path: string,
    to: string,
    body: object,
    into: number[],
  ): Promise<void> => {
    const answer = await attempt(pool, path, JSON.stringify(body));
    into.push(answer.ms);
    if (answer.status === 200) answered.set(to, answer.at);
    else failures += 1;
  };
  const running = [
    startPaced(sendsPerSecond, (index) => {
      const to = `${phase}-buyer${index}@people.test`;
      const email = { to, from: project.from, subject: `Receipt ${index}`, body: '<p>Thank you</p>' };
      return post(api, '/v1/send', to, email, sendMs);
    }),
    startPaced(eventsPerSecond, (index) => {
      const email = `${phase}-member${index}@people.test`;
      return post(page, '/v1/track', email, { email, event }, []);
    }),
    startPaced(probesPerSecond, async () => {
      const answer = await attempt(api, '/health/live', null);
      healthMs.push(answer.ms);
      if (answer.status !== 200) failures += 1;
    }),
  ];
  await sleep(seconds * 1_000);
  await Promise.all(running.map((one) => one.stop()));
  api.close();
  page.close();
  const ways = await arrivals(sink, answered);
  return {
    sendP50: percentile(sendMs, 50),
    sendP99: percentile(sendMs, 99),
    slowestHealth: percentile(healthMs, 100),
    toSinkP95: percentile(ways('-buyer'), 95),
    workflowP95: percentile(ways('-member'), 95),
    failures,
  };
}

async function attempt(api: HttpPool, path: string, body: string | null) {
  const begun = performance.now();
  return (body === null ? api.get(path) : api.post(path, body)).catch(() => ({
    status: 0,
    at: Number.NaN,
    ms: performance.now() - begun,
  }));
}

/** Waits until all email has arrived; what has not after half a minute counts with that time. */
async function arrivals(sink: ChaosStack['sink'], answered: ReadonlyMap<string, number>) {
  const deadline = Date.now() + arrivalPatienceMs;
  for (;;) {
    const at = new Map(
      (await sink.messages()).flatMap((message) => message.to.map((to) => [to, message.at])),
    );
    const isComplete = [...answered.keys()].every((to) => at.has(to));
    if (isComplete || Date.now() > deadline)
      return (kind: string): number[] =>
        [...answered]
          .filter(([to]) => to.includes(kind))
          .map(([to, since]) => (at.get(to) ?? since + arrivalPatienceMs) - since);
    await sleep(200);
  }
}
