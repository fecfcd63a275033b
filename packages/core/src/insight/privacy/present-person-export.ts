import type { z } from 'zod';
import type { Services } from '../../base/kernel/index.ts';
import type { PersonExportRow } from './person-exports.store.ts';
import type { personExportJob } from './privacy.schema.ts';

export const presentPersonExport = async (
  { engine }: Services,
  { result, ...job }: PersonExportRow,
): Promise<z.input<typeof personExportJob>> => ({
  ...job,
  waitsFor: await engine.holdUpOf(job.state === 'waiting'),
  result: job.state === 'completed' && result ? { records: result.records } : null,
});
