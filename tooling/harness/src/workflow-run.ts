import { setTimeout as sleep } from 'node:timers/promises';
import { describeOpenMail, openInAll } from './campaign.store.ts';
import type { ChaosStack } from './chaos-stack.ts';
import { workflowProgress } from './workflow.store.ts';

const pollMs = 250;

/**
 * Waits until this number of executions have started and ended, and all their email is settled.
 *
 * @throws Error if there is no progress for `stallMs`
 */
export async function untilExecutionsEnd(
  { db }: Pick<ChaosStack, 'db'>,
  workflowId: string,
  { executions, stallMs }: { executions: number; stallMs: number },
): Promise<void> {
  let seen = '';
  let movedAt = Date.now();
  for (;;) {
    // While a scenario keeps the database down, the queries fail.
    const [progress, mail] = await Promise.all([workflowProgress(db, workflowId), openInAll(db)]).catch(
      () => [null, 0] as const,
    );
    if (progress && progress.executions >= executions && progress.active === 0 && mail === 0) return;
    const now = progress
      ? `${progress.executions} entered, ${progress.active} active, ${progress.steps} steps, ${mail} emails open`
      : seen;
    if (now !== seen) movedAt = Date.now();
    seen = now;
    if (Date.now() - movedAt > stallMs)
      throw new Error(
        `The workflow stands still for ${stallMs / 1_000} s: ${seen}.\n${await describeOpenMail(db)}`,
      );
    await sleep(pollMs);
  }
}
