import type { z } from 'zod';
import type { ReplayRow } from './replays.store.ts';
import type { replayJob } from './webhook-endpoints.schema.ts';

/** The worker replays without the workflow engine. */
export const presentReplay = ({ input: _input, result, ...job }: ReplayRow): z.input<typeof replayJob> => ({
  ...job,
  waitsFor: null,
  result: job.state === 'completed' && result ? { matched: result.matched, replayed: result.replayed } : null,
});
