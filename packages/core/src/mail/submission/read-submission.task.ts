import { AppError } from '../../base/kernel/errors.ts';
import type { Task } from '../../base/kernel/ports/threads.ts';
import { readSubmission, type Submission } from './read-submission.ts';

/** The message as bytes of its own, which are moved to the thread and back. */
export interface ReadSubmissionInput {
  raw: Uint8Array<ArrayBuffer>;
}

export type ReadSubmissionOutput =
  | { kind: 'read'; submission: Omit<Submission, 'message'>; message: Uint8Array<ArrayBuffer> }
  /** an error of this thread would arrive without its code */
  | { kind: 'refused'; reason: string };

export const readSubmissionTask: Task<ReadSubmissionInput, ReadSubmissionOutput> = {
  name: 'read-submission',
  run({ raw }) {
    try {
      const { message, ...submission } = readSubmission(Buffer.from(raw.buffer));
      return { kind: 'read', submission, message: new Uint8Array(message) };
    } catch (error) {
      if (error instanceof AppError)
        return { kind: 'refused', reason: error.errors?.[0]?.message ?? error.message };
      throw error;
    }
  },
  takes: ({ raw }) => [raw.buffer],
  moves: (output) => (output.kind === 'read' ? [output.message.buffer] : []),
};
