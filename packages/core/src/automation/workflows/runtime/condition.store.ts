import { valueMatches } from '../../../audience/segments/index.ts';
import { Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { ConditionOperator } from '../steps/condition.step.ts';

/**
 * Whether a JSON value satisfies an operator as `data.<key>` does in filters (behaviour B2.5): evaluated by the
 * database, so that conditions and segments cannot differ.
 *
 * @param actual undefined when the value is missing
 */
export async function matchesValue(
  db: SqlDb,
  actual: unknown,
  operator: ConditionOperator,
  expected: unknown,
): Promise<boolean> {
  const value = actual === undefined ? Prisma.sql`NULL::jsonb` : Prisma.sql`${JSON.stringify(actual)}::jsonb`;
  const [row] = await db.$queryRaw<{ matches: boolean | null }[]>`
    SELECT (${valueMatches(value, operator, expected)}) AS "matches"`;
  return row?.matches === true;
}
