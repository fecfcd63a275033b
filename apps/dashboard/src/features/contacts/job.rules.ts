import type { BulkJob, ImportJob } from '../../lib/api.ts';

export const isOver = ({ state }: ImportJob | BulkJob): boolean =>
  state === 'completed' || state === 'failed';
