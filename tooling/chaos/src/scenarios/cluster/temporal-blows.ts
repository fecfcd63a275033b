import { setTimeout as sleep } from 'node:timers/promises';
import { temporalRoles } from '../../harness/temporal-roles.ts';
import { type Blow, countingUncertain } from './groups.ts';

/**
 * A role of the Temporal server is lost or stops: one of its processes, or all of them, as the seed chooses. Email goes on meanwhile; what
 * needs the engine goes on when the role is there again.
 */
export const temporalBlows: Record<string, Blow> = Object.fromEntries(
  temporalRoles.flatMap((role): [string, Blow][] =>
    (['kill -9', 'SIGSTOP'] as const).map((way) => [
      `${way} of Temporal's ${role}`,
      (cluster, random) =>
        countingUncertain(cluster, async () => {
          const all = cluster.temporal.processes.filter((one) => one.role === role);
          const chosen = random.shuffle(all).slice(0, random.whole(1, all.length + 1));
          const ms = random.whole(4_000, 15_000);
          await Promise.all(
            chosen.map(async (one) => (way === 'SIGSTOP' ? one.signal('SIGSTOP') : await one.kill())),
          );
          await sleep(ms);
          await Promise.all(
            chosen.map(async (one) => (way === 'SIGSTOP' ? one.signal('SIGCONT') : await one.start())),
          );
          return { notes: [`${chosen.length} of ${all.length} for ${(ms / 1_000).toFixed(1)} s`] };
        }),
    ]),
  ),
);
