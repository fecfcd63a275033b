import type { z } from 'zod';
import type { exportJob } from './exports.schema.ts';
import type { ExportRow } from './exports.store.ts';

export const presentExport = ({ result, ...job }: ExportRow): z.input<typeof exportJob> => ({
  ...job,
  result: job.state === 'completed' && result ? { rows: result.rows } : null,
});
