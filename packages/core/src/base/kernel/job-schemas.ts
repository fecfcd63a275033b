import { z } from 'zod';
import { isoDate, recordId } from './fields.ts';
import { namedEnum } from './type-names.ts';
import { waitsForField } from './waits-for.schema.ts';

const jobState = namedEnum('ImportJobState', ['waiting', 'active', 'completed', 'failed']);

/** A job that runs in the background (behaviour B2.12); `result` is what a job of its kind reports. */
export const jobOf = <Result extends z.ZodType>(result: Result) =>
  z.object({
    id: recordId.describe('Id of the job.'),
    state: jobState.meta({ description: 'How far the job is.', examples: ['completed'] }),
    waitsFor: waitsForField(
      'the job is `waiting`, and begins when the workflow engine, which does not answer, is back.',
    ),
    progress: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'Percent done.', examples: [100] }),
    result: result.nullable().describe('What the job did; null until it has ended.'),
    failedReason: z
      .string()
      .nullable()
      .meta({ description: 'Why the job failed; null unless it did.', examples: [null] }),
    createdAt: isoDate.describe('When the job was queued.'),
    completedAt: isoDate.nullable().describe('When the job ended; null until then.'),
  });
