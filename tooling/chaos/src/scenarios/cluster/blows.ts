import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createHttpPool } from '@postrider/harness/http-pool';
import { startPaced } from '@postrider/harness/paced';
import type { Random } from '@postrider/harness/random';
import { attempt } from '../../harness/answers.ts';
import { strikeMachine } from '../machines/faults.ts';
import { type ApiGroup, type Blow, type Cluster, countingUncertain, type Struck } from './groups.ts';
import { networkBlows } from './network-blows.ts';
import { temporalBlows } from './temporal-blows.ts';

/** More than twice the lease of this run. */
const stopMs = 21_000;
/** Messages of before the standby went away have ended by then. */
const endedMs = 3_000;
const awayMs = 5_000;
/** How far ahead a clock is, and for how long: beyond a lease of this run. */
const aheadMs = 3_000;
const aheadForMs = 14_000;
/** Requests to the apis that live while others are killed. */
const requestsPerSecond = 30;
const watchedMs = 36_000;
const leastShareAnswered = 0.999;
/** Requests to an api that reaches only a primary that was replaced. */
const vainRequests = 10;

const blows: Record<string, Blow> = {
  'kill -9 of a worker with its delivery process': (cluster, random) =>
    countingUncertain(cluster, async () => {
      await strikeMachine(cluster.chaos, cluster.fleet, 'kill -9 of a machine', random);
      return { kills: 1, mostUncertain: connectionsPerProcess };
    }),
  'kill -9 of an api': (cluster, random) =>
    countingUncertain(cluster, async () => {
      const [api] = random.shuffle(cluster.apis);
      await api?.service.kill();
      await api?.service.ready();
      return { kills: 1, brokeConnections: true };
    }),
  'kill -9 of two api, and of a worker with its delivery process, at once': (cluster, random) =>
    countingUncertain(cluster, async () => {
      const [first, second, ...others] = random.shuffle(cluster.apis);
      const answers = watchAnswers(cluster, others);
      await Promise.all([
        strikeMachine(cluster.chaos, cluster.fleet, 'kill -9 of a machine', random),
        first?.service.kill(),
        second?.service.kill(),
      ]);
      const { asked, answered, others: said } = await answers;
      await Promise.all([first?.service.ready(), second?.service.ready()]);
      return {
        kills: 3,
        brokeConnections: true,
        mostUncertain: connectionsPerProcess,
        notes: [`${answered} of ${asked} requests to the api that lived were answered`],
        problems:
          answered >= asked * leastShareAnswered
            ? []
            : [
                `${asked - answered} of ${asked} requests to the api that lived were not answered: ${said.join(', ')}`,
              ],
      };
    }),
  'SIGSTOP of a delivery process beyond its lease': (cluster, random) =>
    countingUncertain(cluster, async () => {
      await strikeMachine(cluster.chaos, cluster.fleet, 'SIGSTOP and SIGCONT', random, stopMs);
      return {};
    }),
  'the clocks of an api and a worker are 3 s ahead': (cluster) =>
    countingUncertain(cluster, async () => {
      await cluster.clock.shift(aheadMs);
      await sleep(aheadForMs);
      await cluster.clock.shift(0);
      return {};
    }),
  'kill -9 of the primary': (cluster) =>
    countingUncertain(cluster, async () => {
      const whole = cluster.servers.untilWhole();
      await cluster.servers.primary.kill();
      await whole;
      return {};
    }),
  'the primary is cut off, and lives': (cluster, random) =>
    countingUncertain(cluster, () => cutOffPrimary(cluster, random)),
  'the standby is away': (cluster) =>
    countingUncertain(cluster, async () => {
      const { sink } = cluster.chaos;
      const { standby } = cluster.servers;
      await standby.stop();
      await sleep(endedMs);
      const before = await sink.count();
      await sleep(awayMs);
      const begun = (await sink.count()) - before;
      await standby.start();
      const problem = `${begun} emails were sent while no standby had their beginnings`;
      return { problems: begun === 0 ? [] : [problem] };
    }),
  ...temporalBlows,
  ...networkBlows,
};

export const clusterBlows: ReadonlyMap<string, Blow> = new Map(Object.entries(blows));

/**
 * One api and one worker reach only the old primary; all others, and the standby, reach it no longer. It can commit nothing more: no
 * message begins with it, and no request is answered with success.
 */
async function cutOffPrimary(
  { chaos: { sink }, servers, apis, workers, project }: Cluster,
  random: Random,
): Promise<Partial<Struck>> {
  const place = servers.ports.indexOf(servers.primary.port);
  const [api] = random.shuffle(apis);
  const [worker] = random.shuffle(workers);
  if (!api || !worker) throw new Error('There is no group to be cut off with the primary.');
  const isWithIt = (network: object): boolean => network === api.network || network === worker.network;
  const lost = [...apis, ...workers].flatMap(({ network }) =>
    network.ways.PostgreSQL.filter((_way, index) => (index === place) !== isWithIt(network)),
  );
  for (const way of lost) way.cut();
  const problems: string[] = [];
  const notes: string[] = [];
  await servers.cutOffPrimary({
    async alone() {
      const before = await sink.count();
      await sleep(awayMs);
      const begun = (await sink.count()) - before;
      if (begun > 0) problems.push(`${begun} emails were sent by a primary without a standby`);
    },
    async beside() {
      const [byIt, byAll] = [worker.network.messages, await sink.count()];
      const answers = await Promise.all(
        Array.from({ length: vainRequests }, (_, index) =>
          attempt({
            api: api.url,
            path: '/v1/send',
            key: project.secretKey,
            idempotencyKey: `vain-${index}-${servers.failovers.length}`,
            body: {
              from: project.from,
              to: `vain${index}@people.test`,
              subject: 'Vain',
              body: '<p>Vain</p>',
            },
          }),
        ),
      );
      await sleep(awayMs);
      const begun = worker.network.messages - byIt;
      const others = (await sink.count()) - byAll;
      if (begun > 0) problems.push(`${begun} emails were begun on a primary that was replaced`);
      const taken = answers.filter(({ status }) => status === 200).length;
      if (taken > 0) problems.push(`${taken} requests were answered by a primary that was replaced`);
      const said = Map.groupBy(answers, ({ status, cause }) => `${status ?? cause}`);
      notes.push(
        `beside its successor it began ${begun} emails, while ${others} were sent elsewhere; an api that reached only it said ${[...said].map(([what, { length }]) => `${length} times ${what}`).join(', ')}`,
      );
    },
  });
  for (const way of lost) way.heal();
  return { problems, notes };
}

/**
 * Reads through these apis at a constant rate.
 *
 * @returns how many requests there were, how many were answered without an error, and what became of the others
 */
async function watchAnswers(
  { project }: Cluster,
  apis: readonly ApiGroup[],
): Promise<{ asked: number; answered: number; others: string[] }> {
  const pools = apis.map(({ url }) => createHttpPool(url, `Bearer ${project.secretKey}`));
  const statuses: string[] = [];
  const asking = startPaced(requestsPerSecond, async (index) => {
    const pool = pools[index % pools.length];
    const asked = pool?.get('/contacts?limit=1').then(({ status }) => `${status}`);
    statuses.push((await asked?.catch(String)) ?? 'no api');
  });
  await sleep(watchedMs);
  const asked = await asking.stop();
  for (const pool of pools) pool.close();
  const others = statuses.filter((status) => status !== '200');
  return { asked, answered: asked - others.length, others: [...new Set(others)] };
}
