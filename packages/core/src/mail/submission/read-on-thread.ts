import { type Services, TaskLimitError } from '../../base/kernel/index.ts';
import { readSubmissionTask } from './read-submission.task.ts';
import { refused, type Submission } from './read-submission.ts';

/** CPU time for reading a message, in milliseconds: for any message, and for each MB. */
const baseMs = 250;
const msPerMb = 50;
const megabyte = 1_048_576;

/**
 * Reads a submitted message on a thread, where it is stopped when it was made to take long. Its bytes are moved to the thread.
 *
 * @throws AppError VALIDATION_ERROR for a message that is refused, or takes too long
 * @throws AppError RATE_LIMIT_EXCEEDED when too many messages of the project are waiting
 */
export async function readOnThread(
  { threads }: Pick<Services, 'threads'>,
  projectId: string,
  raw: Buffer,
): Promise<Submission> {
  const cpuMs = baseMs + (msPerMb * raw.length) / megabyte;
  const output = await threads
    .run(readSubmissionTask, { raw: ofItsOwn(raw) }, { projectId, cpuMs })
    .catch((error: unknown) => {
      throw error instanceof TaskLimitError ? refused('The message takes too long to read') : error;
    });
  if (output.kind === 'refused') throw refused(output.reason);
  const { buffer, byteOffset, byteLength } = output.message;
  return { ...output.submission, message: Buffer.from(buffer, byteOffset, byteLength) };
}

/** Node keeps small buffers in one that they share, which cannot be moved. */
const ofItsOwn = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(new Uint8Array(buffer, byteOffset, byteLength));
