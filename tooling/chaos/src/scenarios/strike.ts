import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { Random } from '@postrider/harness/random';
import { type BlowName, blows } from './blows.ts';

export interface Strikes {
  /** in the order in which they fall */
  order: readonly BlowName[];
  /** the amount of work when all is done */
  total: number;
  /** the amount of work done so far; rejects while the database is down */
  done(): Promise<number>;
  stallMs: number;
  log(line: string): void;
}

/**
 * Strikes when certain shares of the work are done, so that every blow falls while there is work, on a machine of any speed.
 *
 * @returns the number of blows before all was done
 */
export async function strikeByProgress(
  chaos: ChaosStack,
  random: Random,
  { order, total, done, stallMs, log }: Strikes,
): Promise<number> {
  const moments = order
    .map(() => Math.round(total * (0.05 + 0.75 * random.next())))
    .toSorted((a, b) => a - b);
  let landed = 0;
  for (const [index, name] of order.entries()) {
    const now = await untilDone(moments[index] ?? 0, done, stallMs);
    if (now < total) landed += 1;
    log(`${now} of ${total}: ${name}`);
    await blows[name](chaos, random);
  }
  return landed;
}

async function untilDone(wanted: number, done: Strikes['done'], stallMs: number): Promise<number> {
  let last = -1;
  let movedAt = Date.now();
  for (;;) {
    const now = await done().catch(() => last);
    if (now >= wanted) return now;
    if (now !== last) movedAt = Date.now();
    last = now;
    if (Date.now() - movedAt > stallMs)
      throw new Error(`Nothing was done for ${stallMs / 1_000} s; it stands at ${now}.`);
    await sleep(50);
  }
}
