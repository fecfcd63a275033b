import { guardJob } from '@postrider/core/audience/contacts';
import type { Services } from '@postrider/core/base/kernel';
import { giveUpExport, writeChunk } from '@postrider/core/insight/exports';

export interface ExportActivities {
  /** @returns whether there may be more to write */
  writeExportChunk(jobId: string): Promise<boolean>;
  /** @param reason for the user; undefined after an internal error */
  giveUpExport(jobId: string, reason?: string): Promise<void>;
}

export const createExportActivities = (services: Services): ExportActivities => ({
  writeExportChunk: (jobId) => guardJob(services, jobId, false, () => writeChunk(services, jobId)),
  giveUpExport: (jobId, reason) => giveUpExport(services, jobId, reason),
});
