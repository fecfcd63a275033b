import type { z } from 'zod';
import type { PersonExportRow } from './person-exports.store.ts';
import type { personExportJob } from './privacy.schema.ts';

export const presentPersonExport = ({
  result,
  ...job
}: PersonExportRow): z.input<typeof personExportJob> => ({
  ...job,
  result: job.state === 'completed' && result ? { records: result.records } : null,
});
