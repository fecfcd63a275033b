import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { isFinalFailure, messageOf } from '../workflow-kit/failures.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ExportActivities } from './exports.activities.ts';

const { writeExportChunk } = heartbeatingActivities<ExportActivities>({
  startToCloseTimeout: '5 minutes',
  retry: retries.bounded,
});
const { giveUpExport } = heartbeatingActivities<ExportActivities>({
  startToCloseTimeout: '1 minute',
  retry: retries.endless,
});

/** One export, a chunk of its file at a time. */
export async function exportRecords({ jobId }: { jobId: string }): Promise<void> {
  // The row determines whether there is work, so signals are only accepted.
  countSignals();
  try {
    while (await writeExportChunk(jobId)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof exportRecords>({ jobId });
    }
  } catch (error) {
    if (!isFinalFailure(error)) throw error;
    await giveUpExport(jobId, messageOf(error));
  }
}
