import { type ExportJob, exportJobs } from '../exports/index.ts';

/** Whom an export is about. */
export interface PersonRequest {
  address: string;
  contactId: string | null;
}

/** What has been written, and where it goes on. */
export interface PersonProgress {
  chunks: number;
  /** of all sections that have ended, and in the present one */
  records: number;
  section: number;
  inSection: number;
  /** the last record of the page before; null at the beginning of a section */
  after: string | null;
}

export type PersonExportRow = ExportJob<PersonRequest, PersonProgress>;

export const {
  insert: insertPersonExport,
  find: findPersonExport,
  findOpen: findOpenPersonExport,
  lockOpen: lockOpenPersonExport,
  save: savePersonExport,
  fail: failPersonExport,
  findNeglected: findNeglectedPersonExports,
} = exportJobs<PersonRequest, PersonProgress>('privacy-export');
