import { guardJob } from '@postrider/core/audience/contacts';
import type { Services } from '@postrider/core/base/kernel';
import { giveUpExport, writeChunk } from '@postrider/core/insight/exports';
import { giveUpPersonExport, writePersonChunk } from '@postrider/core/insight/privacy';

export interface ExportActivities {
  /** @returns whether there may be more to write */
  writeExportChunk(jobId: string): Promise<boolean>;
  /** @param reason for the user; undefined after an internal error */
  giveUpExport(jobId: string, reason?: string): Promise<void>;
}

/** Exports of records, and those of a person: each job is of one kind, and has nothing to do for the other. */
export const createExportActivities = (services: Services): ExportActivities => ({
  writeExportChunk: (jobId) =>
    guardJob(
      services,
      jobId,
      false,
      async () => (await writeChunk(services, jobId)) || (await writePersonChunk(services, jobId)),
    ),
  async giveUpExport(jobId, reason) {
    await giveUpExport(services, jobId, reason);
    await giveUpPersonExport(services, jobId, reason);
  },
});
