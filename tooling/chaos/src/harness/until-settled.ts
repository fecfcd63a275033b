import { setTimeout as sleep } from 'node:timers/promises';
import { describeOpenMail, openInAll } from '@postrider/harness/campaign.store';
import type { ChaosStack } from '@postrider/harness/chaos-stack';

const pollMs = 100;

/**
 * Waits until no email is waiting or being sent.
 *
 * @throws Error with the first of the open emails if their number has not changed for `stallMs`
 */
export async function untilSettled(
  { db }: Pick<ChaosStack, 'db'>,
  { stallMs }: { stallMs: number },
): Promise<void> {
  let last = -1;
  let movedAt = Date.now();
  for (;;) {
    // While a scenario keeps the database down, the query fails.
    const open = await openInAll(db).catch(() => last);
    if (open === 0) return;
    if (open !== last) movedAt = Date.now();
    last = open;
    if (Date.now() - movedAt > stallMs)
      throw new Error(
        `${open} emails are open and nothing has moved for ${stallMs / 1_000} s:\n${await describeOpenMail(db)}`,
      );
    await sleep(pollMs);
  }
}
