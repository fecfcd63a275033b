import { setTimeout as sleep } from 'node:timers/promises';
import { isAtWork } from './campaign.store.ts';
import type { ChaosStack } from './chaos-stack.ts';
import { openHttpConnection } from './http-connection.ts';
import type { TestProject } from './project.store.ts';
import type { Random } from './random.ts';

export interface LatencyPlan {
  samples: number;
  /** runs before each sample, outside of the measured time */
  before(): Promise<void>;
}

/** A message that has not reached the sink after this time counts as lost. */
const patienceMs = 30_000;
/** How the addresses of its emails begin. */
export const latencyRecipients = 'latency';

/**
 * Time from the reply of `/v1/send` until the mail server has received the message, in milliseconds, one value per
 * sample. Both timestamps come from this machine's clock; the sink's has a resolution of 1 ms.
 */
export async function measureWakeLatency(
  { stack, sink }: Pick<ChaosStack, 'stack' | 'sink'>,
  project: TestProject,
  { samples, before }: LatencyPlan,
): Promise<number[]> {
  const connection = await openHttpConnection(stack.urls.api, `Bearer ${project.secretKey}`);
  const answeredAt = new Map<string, number>();
  try {
    for (let index = 0; index < samples; index += 1) {
      await before();
      const { status, body, at } = await connection.post('/v1/send', latencyRequest(project.from, index));
      if (status !== 200) throw new Error(`/v1/send answered ${status}: ${body}`);
      for (const id of emailIdsOf(body)) answeredAt.set(id, at);
    }
  } finally {
    connection.close();
  }
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const messages = await sink.find([...answeredAt.keys()]);
    if (messages.length >= samples)
      return messages.map(({ emailId, at }) => at - (answeredAt.get(emailId) ?? 0));
    if (Date.now() > deadline) throw new Error(`Only ${messages.length} of ${samples} messages arrived.`);
    await sleep(50);
  }
}

/** Waits a random time, so that samples do not synchronize with a timer of the product. */
export const randomPause = (random: Random, fromMs: number, toMs: number): Promise<void> =>
  sleep(random.whole(fromMs, toMs));

/** Waits until all email of this project is settled, so that the next one finds delivery idle. */
export async function untilIdle({ db }: Pick<ChaosStack, 'db'>, projectId: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (await isAtWork(db, projectId)) {
    if (Date.now() > deadline) throw new Error(`Email is still being sent after ${patienceMs / 1_000} s.`);
    await sleep(50);
  }
}

export const emailIdsOf = (answer: string): string[] =>
  (JSON.parse(answer) as { data: { emails: { email: string }[] } }).data.emails.map(({ email }) => email);

const latencyRequest = (from: string, index: number): string =>
  JSON.stringify({
    to: `${latencyRecipients}${index}@people.test`,
    from,
    subject: 'How long does it take?',
    body: '<p>Dear {{name ?? reader}}, this is sample {{sample}}.</p>',
    data: { sample: index },
  });
