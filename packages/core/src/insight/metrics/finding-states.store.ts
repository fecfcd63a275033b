import { type Db, Prisma } from '../../base/db/index.ts';
import type { Verdict } from '../findings/index.ts';

export interface ChangedState {
  check: string;
  verdict: Verdict;
  /** null: it was not looked at before */
  former: Verdict | null;
  /** no email about it was written within a day */
  mayMail: boolean;
}

/** Stores the verdicts of checks. @returns those that have changed; each change is returned to one caller */
export const noteStates = (db: Db, states: ReadonlyMap<string, Verdict>): Promise<ChangedState[]> =>
  db.$queryRaw<ChangedState[]>`
    INSERT INTO "FindingState" AS f ("check", "verdict")
    SELECT * FROM unnest(${[...states.keys()]}::text[], ${[...states.values()]}::text[]) AS g("check", "verdict") ORDER BY "check"
    ON CONFLICT ("check") DO UPDATE SET "verdict" = excluded."verdict", "since" = now() WHERE f."verdict" <> excluded."verdict"
    RETURNING f."check", f."verdict", (SELECT p."verdict" FROM "FindingState" p WHERE p."check" = f."check") AS "former",
      coalesce(f."mailedAt" < now() - interval '1 day', true) AS "mayMail"`;

/** The operator is told of these checks by email. */
export const noteMailed = (db: Db, checks: readonly string[]): Promise<unknown> =>
  db.$executeRaw`UPDATE "FindingState" SET "mailedAt" = now() WHERE "check" IN (${Prisma.join([...checks])})`;
