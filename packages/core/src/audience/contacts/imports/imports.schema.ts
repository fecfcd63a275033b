import { z } from 'zod';
import { cursorListOf, cursorQuery, typeNames } from '../../../base/kernel/schemas.ts';
import { auditActor } from '../../../people/audit/audit.schema.ts';
import { importJob } from '../jobs/jobs.schema.ts';

export const listImportsInput = z.object(cursorQuery);

const rows = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

/** An import in the history of a project. */
export const importRecord = importJob
  .omit({ result: true })
  .extend({
    fileName: z
      .string()
      .nullable()
      .meta({ description: 'Name of the file; null when it has none.', examples: ['customers.csv'] }),
    author: auditActor.nullable().describe('Who started it; null for imports from before this was stored.'),
    totalRows: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Rows of the file, without the header; null until it has been read.',
        examples: [120],
      }),
    createdCount: rows('Contacts created so far.', 100),
    updatedCount: rows('Contacts updated so far.', 19),
    failureCount: rows('Rows that failed so far.', 1),
    unreadCount: rows('Cells that could not be read so far.', 0),
    dryRun: z
      .boolean()
      .meta({ description: 'Whether it only reports what an import would do.', examples: [false] }),
  })
  .register(typeNames, { name: 'ContactImport' });

export const importList = cursorListOf(importRecord);
