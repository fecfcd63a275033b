import { setTimeout as sleep } from 'node:timers/promises';
import { countUncertain } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { TestProject } from '@postrider/harness/project.store';
import type { Random } from '@postrider/harness/random';
import type { Service } from '@postrider/local/service';
import type { DatabaseServers } from '../../harness/database-servers.ts';
import type { Network } from '../../harness/network.ts';
import type { ShiftedClock } from '../../harness/shifted-clock.ts';
import type { TemporalServer } from '../../harness/temporal-roles.ts';
import type { Fleet } from '../machines/fleet.ts';

/** An api, or a worker with its delivery process, and its own ways to the servers. */
export interface Group {
  service: Service;
  network: Network;
}

export interface ApiGroup extends Group {
  url: string;
}

export interface Cluster {
  chaos: ChaosStack;
  servers: DatabaseServers;
  temporal: TemporalServer;
  apis: readonly ApiGroup[];
  workers: readonly Group[];
  fleet: Fleet;
  /** of the second api and the second worker */
  clock: ShiftedClock;
  /** for requests to a single api */
  project: TestProject;
}

/** What a blow did. */
export interface Struck {
  /** processes of the product that were killed, and are started again */
  kills: number;
  /** an api was killed, so that the connections to it broke */
  brokeConnections: boolean;
  /** emails that became UNCERTAIN and stayed so, and how many of them may */
  uncertain: number;
  mostUncertain: number;
  problems: string[];
  notes: string[];
}

export type Blow = (cluster: Cluster, random: Random) => Promise<Struck>;

const nothingStruck: Struck = {
  kills: 0,
  brokeConnections: false,
  uncertain: 0,
  mostUncertain: 0,
  problems: [],
  notes: [],
};

/** An email that is UNCERTAIN until its process has recorded its answer is so for this long at most. */
const correctionMs = 15_000;
const readyPatienceMs = 60_000;

/** Counts the emails that became UNCERTAIN by it, and stayed so. */
export async function countingUncertain(
  { chaos: { db } }: Cluster,
  strike: () => Promise<Partial<Struck>>,
): Promise<Struck> {
  const before = await countUncertain(db);
  const struck = { ...nothingStruck, ...(await strike()) };
  const deadline = Date.now() + correctionMs;
  const count = async (): Promise<number> => (await countUncertain(db)) - before;
  // The harness has connections of before a failover, of which each fails once.
  const answered = (): Promise<number> => count().catch(() => 1);
  while ((await answered()) > 0 && Date.now() < deadline) await sleep(200);
  const uncertain = Math.max(0, await count());
  const { mostUncertain } = struck;
  const problems =
    uncertain <= mostUncertain
      ? []
      : [`${uncertain} emails became UNCERTAIN, and at most ${mostUncertain} may`];
  return { ...struck, uncertain, problems: [...struck.problems, ...problems] };
}

/** Waits until every api says that it is ready. @returns the seconds; null if it takes longer than a minute */
export async function untilReady(apis: readonly ApiGroup[]): Promise<number | null> {
  const begun = performance.now();
  const waiting = new Set(apis);
  while (waiting.size > 0) {
    for (const api of waiting) {
      const isReady = await fetch(new URL('/health/ready', api.url), {
        signal: AbortSignal.timeout(5_000),
      }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) waiting.delete(api);
    }
    if (performance.now() - begun > readyPatienceMs) return null;
    if (waiting.size > 0) await sleep(100);
  }
  return (performance.now() - begun) / 1_000;
}
