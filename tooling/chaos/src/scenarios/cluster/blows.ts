import { setTimeout as sleep } from 'node:timers/promises';
import { countUncertain } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { Random } from '@postrider/harness/random';
import type { Service } from '@postrider/local/service';
import type { DatabaseServers } from '../../harness/database-servers.ts';
import { strikeMachine } from '../machines/faults.ts';
import type { Fleet } from '../machines/fleet.ts';

export interface Cluster {
  chaos: ChaosStack;
  servers: DatabaseServers;
  apis: readonly Service[];
  fleet: Fleet;
}

export interface Struck {
  /** a delivery process was killed: as many emails may become UNCERTAIN as it had connections */
  killed: boolean;
  /** emails that became UNCERTAIN and stayed so */
  uncertain: number;
  problems: string[];
}

export type Blow = (cluster: Cluster, random: Random) => Promise<Struck>;

/** More than twice the lease of this run. */
const stopMs = 21_000;
/** Messages of before the standby went away have ended by then. */
const endedMs = 3_000;
const awayMs = 5_000;
/** An email that is UNCERTAIN until its process has recorded its answer is so for this long at most. */
const correctionMs = 15_000;

export const clusterBlows = {
  async 'kill -9 of a worker with its delivery process'({ chaos, fleet }, random) {
    const { uncertain } = await strikeMachine(chaos, fleet, 'kill -9 of a machine', random);
    return { killed: true, uncertain, problems: [] };
  },
  'kill -9 of an api': (cluster, random) =>
    noneUncertain(cluster, async () => {
      const api = random.shuffle(cluster.apis).at(0);
      await api?.kill();
      await api?.ready();
      return [];
    }),
  async 'SIGSTOP of a delivery process beyond its lease'({ chaos, fleet }, random) {
    const { uncertain } = await strikeMachine(chaos, fleet, 'SIGSTOP and SIGCONT', random, stopMs);
    return { killed: false, uncertain, problems: problemsOf(uncertain) };
  },
  'kill -9 of the primary': (cluster) =>
    noneUncertain(cluster, async () => {
      const whole = cluster.servers.untilWhole();
      await cluster.servers.primary.kill();
      await whole;
      return [];
    }),
  'the primary is cut off, and lives': (cluster) =>
    noneUncertain(cluster, async () => {
      await cluster.servers.cutOffPrimary();
      return [];
    }),
  'the standby is away': (cluster) =>
    noneUncertain(cluster, async ({ chaos: { sink }, servers: { standby } }) => {
      await standby.stop();
      await sleep(endedMs);
      const before = await sink.count();
      await sleep(awayMs);
      const begun = (await sink.count()) - before;
      await standby.start();
      return begun === 0 ? [] : [`${begun} emails were sent while no standby had their beginnings`];
    }),
} as const satisfies Record<string, Blow>;

export type ClusterBlow = keyof typeof clusterBlows;

async function noneUncertain(
  cluster: Cluster,
  strike: (cluster: Cluster) => Promise<string[]>,
): Promise<Struck> {
  const { db } = cluster.chaos;
  const before = await countUncertain(db);
  const problems = await strike(cluster);
  const deadline = Date.now() + correctionMs;
  const count = async (): Promise<number> => (await countUncertain(db)) - before;
  // The harness has connections of before a failover, of which each fails once.
  const answered = (): Promise<number> => count().catch(() => 1);
  while ((await answered()) > 0 && Date.now() < deadline) await sleep(200);
  const uncertain = Math.max(0, await count());
  return { killed: false, uncertain, problems: [...problems, ...problemsOf(uncertain)] };
}

const problemsOf = (uncertain: number): string[] =>
  uncertain === 0 ? [] : [`${uncertain} emails became UNCERTAIN, and no delivery process was killed`];
