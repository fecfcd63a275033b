import type { Services } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { isCapped } from '../ledger/index.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

/** For how long an answer is used, in milliseconds: the caps are exact where the email is written. */
const keptMs = 5_000;

const mostKnown = 10_000;

const known = new WeakMap<object, RecentMap<string, { over: boolean; until: number }>>();

/** Whether one more email of the project would exceed a cap of billing, or the daily one of a new project. Nothing is reserved. */
export async function isOverCaps(
  { config, database }: Pick<Services, 'config' | 'database'>,
  projectId: string,
): Promise<boolean> {
  const caps = capsOf(config);
  if (!isCapped(caps)) return false;
  const answers = known.get(database) ?? new RecentMap<string, { over: boolean; until: number }>(mostKnown);
  known.set(database, answers);
  const now = performance.now();
  const answer = answers.get(projectId);
  if (answer && answer.until > now) return answer.over;
  const rows = await database.prisma.$queryRaw<{ over: boolean }[]>`
    SELECT ${caps.billed}::boolean AND EXISTS (
        SELECT FROM reserve_usage(ARRAY[${projectId}::uuid], '{TRANSACTIONAL}'::"EmailSource"[], '{1}', false) r WHERE NOT r."granted")
      OR ${caps.ramp}::jsonb IS NOT NULL AND EXISTS (
        SELECT FROM reserve_ramp(ARRAY[${projectId}::uuid], '{1}', false, ${caps.ramp}::jsonb) r WHERE r."refusal" IS NOT NULL) AS "over"`;
  const over = rows[0]?.over ?? false;
  answers.set(projectId, { over, until: now + keptMs });
  return over;
}
