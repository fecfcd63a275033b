import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsPerProcess } from '@postrider/harness/chaos-stack';
import type { Random } from '@postrider/harness/random';
import type { Network, Peer } from '../../harness/network.ts';
import type { Direction } from '../../harness/tcp-proxy.ts';
import { type Blow, countingUncertain } from './groups.ts';

const directions: readonly (readonly Direction[])[] = [
  ['to the server'],
  ['to the client'],
  ['to the server', 'to the client'],
];

/** What happens to the ways from a group to a peer. Resolves when it is undone. @returns what the seed chose */
type Fault = (ways: Network['ways'][Peer], random: Random) => Promise<string>;

const faults = {
  async 'is cut'(ways, random) {
    const ms = random.whole(2_000, 10_000);
    for (const way of ways) way.cut();
    await sleep(ms);
    for (const way of ways) way.heal();
    return `for ${(ms / 1_000).toFixed(1)} s`;
  },
  async 'is half-closed'(ways, random) {
    const chosen = random.shuffle(directions)[0] ?? [];
    for (const way of ways) for (const direction of chosen) way.halfClose(direction);
    await sleep(random.whole(1_000, 4_000));
    return chosen.join(' and ');
  },
  // Up to more than a lease of this run: what a stalled process holds is taken over by others.
  async stalls(ways, random) {
    const ms = random.whole(4_000, 14_000);
    const chosen = random.shuffle(directions)[0] ?? [];
    for (const way of ways) way.stall(...chosen);
    await sleep(ms);
    for (const way of ways) way.heal();
    return `${chosen.join(' and ')} for ${(ms / 1_000).toFixed(1)} s`;
  },
} as const satisfies Record<string, Fault>;

type FaultName = keyof typeof faults;

const between = [
  ['worker', 'PostgreSQL'],
  ['worker', 'Temporal'],
  ['worker', 'SMTP'],
  ['api', 'PostgreSQL'],
  ['api', 'Temporal'],
] as const;

/** Whether a mail server took a message whose answer was lost on the way is known to nobody. */
const mayLoseAnswers = (peer: Peer, fault: FaultName): boolean => peer === 'SMTP' && fault !== 'stalls';

/** One group loses its way to one kind of server: every kind of both, by every fault. */
export const networkBlows: Record<string, Blow> = Object.fromEntries(
  between.flatMap(([kind, peer]) =>
    (Object.keys(faults) as FaultName[]).map((fault): [string, Blow] => [
      `the way of ${kind === 'api' ? 'an' : 'a'} ${kind} to ${peer} ${fault}`,
      (cluster, random) =>
        countingUncertain(cluster, async () => {
          const group = random.shuffle(kind === 'api' ? cluster.apis : cluster.workers)[0];
          if (!group) throw new Error(`There is no ${kind}.`);
          const chosen = await faults[fault](group.network.ways[peer], random);
          return {
            mostUncertain: mayLoseAnswers(peer, fault) ? connectionsPerProcess : 0,
            notes: [`${group.service.name}: ${chosen}`],
          };
        }),
    ]),
  ),
);
