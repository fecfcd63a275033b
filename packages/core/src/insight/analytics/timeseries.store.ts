import { type Db, Prisma } from '../../base/db/index.ts';
import { countedEmails } from '../../base/figures/index.ts';
import type { Run } from './buckets.rules.ts';

const facts = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'refused', 'complained'] as const;
export type EmailFacts = Record<(typeof facts)[number], number>;

export const noFacts: EmailFacts = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
};

/**
 * How many emails reached which state in each run of quarters of an hour, by the position of the run; empty runs are left out.
 *
 * @param end where the last run ends
 */
export function countFacts(
  db: Db,
  projectId: string,
  runs: readonly Run[],
  end: Date,
): Promise<(EmailFacts & { run: number })[]> {
  const starts = runs.map(({ start }) => start.toISOString());
  const sums = Prisma.join(facts.map((fact) => Prisma.raw(`sum("${fact}")::int AS "${fact}"`)));
  return db.$queryRaw<(EmailFacts & { run: number })[]>`
    SELECT width_bucket("at", ${starts}::timestamptz[]) - 1 AS "run", ${sums}
    FROM ${countedEmails(projectId)} counted
    WHERE "at" >= ${starts[0]}::timestamptz AND "at" < ${end}::timestamptz
    GROUP BY 1`;
}
