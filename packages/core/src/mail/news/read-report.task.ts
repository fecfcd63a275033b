import type { Task } from '../../base/kernel/ports/threads.ts';
import { type ReadReport, readReport } from './read-report.ts';

export interface ReadReportInput {
  raw: Uint8Array<ArrayBuffer>;
  /** '' for the null sender */
  envelopeFrom: string;
  /** the addresses of the emails that it was sent about; '' where it is not known */
  recipients: readonly string[];
}

export const readReportTask: Task<ReadReportInput, ReadReport> = {
  name: 'read-report',
  run: ({ raw, envelopeFrom, recipients }) =>
    readReport(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), envelopeFrom, recipients),
};
