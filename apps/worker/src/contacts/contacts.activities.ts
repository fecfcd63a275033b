import { fillConsentLog, isHistoryDone } from '@postrider/core/audience/consent';
import {
  convertFieldBatch,
  endSnoozes,
  endSuppressions,
  giveUpContactJob,
  guardJob,
} from '@postrider/core/audience/contacts';
import { runContactChange, runContactImport } from '@postrider/core/audience/segments';
import type { Services } from '@postrider/core/base/kernel';

export interface ContactActivities {
  importRows(jobId: string): Promise<void>;
  changeBatch(jobId: string): Promise<boolean>;
  /** @returns whether there may be more values to convert */
  convertValues(definitionId: string): Promise<boolean>;
  /** @param reason for the user; undefined after an internal error */
  giveUpContactJob(jobId: string, reason?: string): Promise<void>;
  /** @returns whether there is more to do */
  fillSomeConsentLog(): Promise<boolean>;
  /** also ends suppressions that have an end */
  wakeSnoozed(): Promise<number>;
}

const snoozeBatch = 1_000;

export function createContactActivities(services: Services): ContactActivities {
  return {
    importRows: (jobId) => guardJob(services, jobId, undefined, () => runContactImport(services, jobId)),
    changeBatch: (jobId) => guardJob(services, jobId, false, () => runContactChange(services, jobId)),
    convertValues: (definitionId) => convertFieldBatch(services, definitionId),
    giveUpContactJob: (jobId, reason) => giveUpContactJob(services, jobId, reason),
    fillSomeConsentLog: () => fillConsentLog(services),
    async wakeSnoozed() {
      const { prisma } = services.database;
      // Of pauses from before there was a log, some were ended by leaving, which is found out first.
      const { projectIds, ended } = (await isHistoryDone(prisma))
        ? await prisma.$transaction((db) => endSnoozes(db, new Date(), snoozeBatch))
        : { projectIds: [], ended: 0 };
      for (const projectId of projectIds) services.scheduleFollowUps(projectId);
      return ended + (await endSuppressions(prisma, new Date(), snoozeBatch));
    },
  };
}
