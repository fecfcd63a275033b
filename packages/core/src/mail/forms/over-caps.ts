import type { Services } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { isCapped } from '../ledger/index.ts';
import { capsOf } from '../ramp/ramp.rules.ts';
import { wouldExceed } from './over-caps.store.ts';

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
  const over = await wouldExceed(database.prisma, projectId, caps);
  answers.set(projectId, { over, until: now + keptMs });
  return over;
}
