import { countNames } from '../../audience/events/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { countedEmails, figuresOf, quarterOf } from '../../base/figures/index.ts';

/** Above 100,000 events, the figures may be five minutes old (behaviour B4.12). */
const figure = figuresOf({
  prefix: 'activity',
  largeAbove: 100_000,
  maxAgeSeconds: 300,
  async hasMoreThan(db, projectId, rows) {
    const [row] = await db.$queryRaw<{ large: boolean }[]>`
      SELECT coalesce(sum("count"), 0) > ${rows}::int AS "large" FROM "EventCount" WHERE "projectId" = ${projectId}::uuid`;
    return row?.large ?? false;
  },
});

export type ActivityTotals = {
  events: number;
  workflowsStarted: number;
  sent: number;
  opened: number;
  clicked: number;
};

/** @param key cache key of the period; a rolling period has a fixed key */
export const readTotals = (
  db: Db,
  projectId: string,
  { from, to, key }: { from: Date; to: Date | undefined; key: string },
): Promise<ActivityTotals> =>
  figure(db, projectId, key, async () => {
    const until = to ? Prisma.sql`AND "createdAt" <= ${to}` : Prisma.empty;
    const [row] = await db.$queryRaw<Omit<ActivityTotals, 'events'>[]>`
      SELECT
        (SELECT count(*)::int FROM "Event" WHERE "projectId" = ${projectId}::uuid AND "name" = 'workflow.started'
          AND "kind" = 'ACTIVITY' AND "createdAt" >= ${from} ${until}) AS "workflowsStarted",
        coalesce(sum("sent"), 0)::int AS "sent", coalesce(sum("opened"), 0)::int AS "opened", coalesce(sum("clicked"), 0)::int AS "clicked"
      FROM ${countedEmails(projectId)} counted
      WHERE "at" >= ${quarterOf(Prisma.sql`${from}::timestamptz`)}
        ${to ? Prisma.sql`AND "at" <= ${to}` : Prisma.empty}`;
    if (!row) throw new Error('an aggregate without groups has one row');
    const names = await countNames(db, projectId, { from, to });
    return { ...row, events: names.reduce((sum, { name, count }) => sum + (isItem(name) ? count : 0), 0) };
  });

/** Those of customers and segments, as the items of type `event.triggered`. */
const isItem = (name: string): boolean => !isReservedEvent(name) || name.startsWith('segment.');
