import type { z } from 'zod';
import type { Services } from '../../base/kernel/index.ts';
import type { exportJob } from './exports.schema.ts';
import type { ExportRow } from './exports.store.ts';

export const presentExport = async (
  { engine }: Services,
  { result, ...job }: ExportRow,
): Promise<z.input<typeof exportJob>> => ({
  ...job,
  waitsFor: await engine.holdUpOf(job.state === 'waiting'),
  result: job.state === 'completed' && result ? { rows: result.rows } : null,
});
