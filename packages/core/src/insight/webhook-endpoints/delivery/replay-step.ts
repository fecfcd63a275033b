import type { Services } from '../../../base/kernel/index.ts';
import { replayNext } from '../deliveries.store.ts';
import { lockOpenReplay, saveReplay } from '../replays.store.ts';

const batch = 1_000;

/**
 * Queues the next deliveries of the oldest open replay again, together with its progress: an interruption repeats nothing.
 *
 * @returns whether there was one
 */
export const runReplayStep = ({ database }: Services): Promise<boolean> =>
  database.prisma.$transaction(
    async (db) => {
      const job = await lockOpenReplay(db);
      if (!job) return false;
      const { from, to, ...given } = job.input;
      const before = job.result ?? { matched: 0, replayed: 0, after: null };
      const range = { ...given, projectId: job.projectId, from: new Date(from), to: new Date(to) };
      const { count, last } = await replayNext(db, range, before.after, batch);
      const replayed = before.replayed + count;
      const result = { matched: before.matched, replayed, after: last };
      const share = Math.floor((replayed / Math.max(1, before.matched)) * 100);
      await saveReplay(db, job.id, { progress: last ? Math.min(99, share) : 100, result });
      return true;
    },
    { timeout: 60_000, maxWait: 10_000 },
  );
