import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from './chaos-stack.ts';
import { createHttpPool, type HttpPool } from './http-pool.ts';
import { startPaced } from './paced.ts';
import type { TestProject } from './project.store.ts';
import type { Random } from './random.ts';

export interface NowAndThen {
  /** tells these emails from those of other rounds */
  round: string;
  /** emails per second of all projects together; each is sent by a project chosen at random */
  perSecond: number;
  seconds: number;
  random: Random;
}

const arrivalPatienceMs = 180_000;

/**
 * Lets many projects send an email now and then.
 *
 * @returns for each email, in the order of the answers, the milliseconds from the answer of `/v1/send` to the mail server
 */
export async function sendNowAndThen(
  { stack, sink }: Pick<ChaosStack, 'stack' | 'sink'>,
  projects: readonly TestProject[],
  { round, perSecond, seconds, random }: NowAndThen,
): Promise<number[]> {
  const pools = new Map<string, HttpPool>();
  const answeredAt = new Map<string, number>();
  const sending = startPaced(perSecond, async (index) => {
    const project = projects[random.whole(0, projects.length)];
    if (!project) throw new Error('There is no project.');
    const to = `${round}-${index}@people.test`;
    const body = JSON.stringify({ to, from: project.from, subject: `Note ${index}`, body: '<p>A note</p>' });
    // One pool per key: a connection of the harness has the key in its head.
    const pool = pools.get(project.id) ?? createHttpPool(stack.urls.api, `Bearer ${project.secretKey}`);
    pools.set(project.id, pool);
    const answer = await pool.post('/v1/send', body);
    if (answer.status !== 200) throw new Error(`/v1/send answered ${answer.status}: ${answer.body}`);
    answeredAt.set(to, answer.at);
  });
  await sleep(seconds * 1_000);
  await sending.stop();
  for (const pool of pools.values()) pool.close();
  const deadline = Date.now() + arrivalPatienceMs;
  for (;;) {
    const arrived = new Map(
      (await sink.messages()).flatMap(({ to, at }) => to.map((one) => [one, at] as const)),
    );
    const ways = [...answeredAt]
      .toSorted(([, a], [, b]) => a - b)
      .flatMap(([to, since]) => {
        const at = arrived.get(to);
        return at === undefined ? [] : [at - since];
      });
    if (ways.length === answeredAt.size) return ways;
    if (Date.now() > deadline)
      throw new Error(`Only ${ways.length} of ${answeredAt.size} emails arrived within 3 minutes.`);
    await sleep(200);
  }
}
