import type { FilterTree } from '../../audience/segments/filters.rules.ts';
import { type ExportJob, exportJobs } from './export-jobs.store.ts';
import type { ExportType } from './exports.schema.ts';

/** What was asked for; times as ISO 8601. */
export interface ExportRequest {
  type: ExportType;
  filter?: FilterTree;
  segmentId?: string;
  campaignId?: string;
  templateId?: string;
  tag?: string;
  search?: string;
  text?: string;
  status?: string;
  sourceType?: string;
  reason?: string;
  eventName?: string;
  contact?: string;
  goalId?: string;
  from?: string;
  to?: string;
}

/** What has been written, and the position to continue from. */
export interface ExportProgress {
  columns: string[];
  rows: number;
  chunks: number;
  /** how many records the list had at the start; `seen` of them have been read */
  total: number;
  seen: number;
  cursor: string | null;
}

export type ExportRow = ExportJob<ExportRequest, ExportProgress>;

export const {
  insert: insertExport,
  find: findExport,
  findOpen: findOpenExport,
  lockOpen: lockOpenExport,
  save: saveExport,
  fail: failExport,
  findNeglected: findNeglectedExports,
} = exportJobs<ExportRequest, ExportProgress>('export');
