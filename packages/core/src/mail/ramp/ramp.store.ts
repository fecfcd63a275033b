import { type Db, Prisma } from '../../base/db/index.ts';
import type { CoreConfig } from '../../base/kernel/index.ts';
import { capsOf } from './ramp.rules.ts';

interface DailyRequest {
  projectId: string;
  quantity: number;
  /** false only checks; the row of the project stays locked until the end of the transaction either way */
  kept: boolean;
}

/**
 * @returns the cap of the present day of a new project, if email that was reserved already may not wait until this time because of it
 */
export async function capBeyondToday(
  config: CoreConfig,
  db: Db,
  projectId: string,
  at: Date,
): Promise<number | null> {
  const { ramp } = capsOf(config);
  if (ramp === null) return null;
  const rows = await db.$queryRaw<{ refusal: string | null }[]>(Prisma.sql`
    SELECT "refusal" FROM reserve_ramp(ARRAY[${projectId}::uuid], '{0}', false, ${ramp}::jsonb, ARRAY[${at}::timestamptz])`);
  return capOf(rows);
}

/**
 * Reserves emails of a campaign below the daily cap of a new project (behaviour B8.1).
 *
 * @returns the cap when it would be exceeded; null otherwise, and always when this installation has no such caps
 */
export async function exceededDailyCap(
  config: CoreConfig,
  db: Db,
  { projectId, quantity, kept }: DailyRequest,
): Promise<number | null> {
  const { ramp } = capsOf(config);
  if (ramp === null) return null;
  const rows = await db.$queryRaw<{ refusal: string | null }[]>(Prisma.sql`
    SELECT "refusal" FROM reserve_ramp(ARRAY[${projectId}::uuid], ARRAY[${quantity}::int], ${kept}, ${ramp}::jsonb)`);
  return capOf(rows);
}

function capOf(rows: readonly { refusal: string | null }[]): number | null {
  const refusal = rows[0]?.refusal ?? null;
  return refusal === null ? null : Number(refusal.slice(refusal.indexOf(':') + 1));
}
