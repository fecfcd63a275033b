import type { SqlDb } from '../../base/db/index.ts';
import type { capsOf } from '../ramp/ramp.rules.ts';

/** Whether one more transactional email would exceed one of the caps. Nothing is reserved. */
export async function wouldExceed(
  db: SqlDb,
  projectId: string,
  caps: ReturnType<typeof capsOf>,
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ over: boolean }[]>`
    SELECT ${caps.billed}::boolean AND EXISTS (
        SELECT FROM reserve_usage(ARRAY[${projectId}::uuid], '{TRANSACTIONAL}'::"EmailSource"[], '{1}', false) r WHERE NOT r."granted")
      OR ${caps.ramp}::jsonb IS NOT NULL AND EXISTS (
        SELECT FROM reserve_ramp(ARRAY[${projectId}::uuid], '{1}', false, ${caps.ramp}::jsonb) r WHERE r."refusal" IS NOT NULL) AS "over"`;
  return row?.over ?? false;
}
