import { createHash } from 'node:crypto';
import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { readReportTask } from './read-report.task.ts';
import type { ReadReport } from './read-report.ts';

/** CPU time for reading a report, in milliseconds. */
const cpuMs = 250;
/** Anybody may send reports, so those of all projects have one place among those that wait for a thread. */
export const reportsKey = 'reports';

/**
 * Reads a message sent to the envelope sender of an email on a thread (behaviour B11.7). One that takes too long is unknown: it would take too
 * long again.
 *
 * @param envelopeFrom '' for the null sender
 * @param recipients the addresses of the emails that it was sent about; '' where it is not known
 * @throws AppError RATE_LIMIT_EXCEEDED when too many reports are waiting
 */
export async function readReceived(
  { threads }: Pick<Services, 'threads'>,
  raw: Buffer,
  envelopeFrom: string,
  recipients: readonly string[],
): Promise<ReadReport> {
  const input = { raw: Uint8Array.from(raw), envelopeFrom, recipients };
  try {
    return await threads.run(readReportTask, input, { projectId: reportsKey, cpuMs, isHalved: true });
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    return {
      fingerprint: createHash('sha256').update(raw).digest('hex'),
      results: recipients.map(() => ({ kind: 'unknown', detail: 'The report takes too long to read' })),
      isFormal: false,
      returned: null,
      letter: { from: null, subject: null, text: '' },
      isLoop: false,
      receivedFrom: [],
      signatures: [],
    };
  }
}
