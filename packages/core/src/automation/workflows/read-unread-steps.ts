import type { Services } from '../../base/kernel/index.ts';
import { readUnread } from '../../content/templates/index.ts';
import { textsOfConfig } from './config-texts.ts';
import { stepDefinition } from './steps/steps.schema.ts';
import { findUnreadSteps, writeStepTextReads } from './unread-steps.store.ts';

/** Reads the texts of steps that an earlier version has stored, for `reconcile`. @returns how many */
export function readUnreadSteps(services: Services, endsAt: number): Promise<number> {
  const { prisma } = services.database;
  return readUnread(
    services,
    {
      find: async (limit) =>
        (await findUnreadSteps(prisma, limit)).map((row) => ({
          ...row,
          texts: stepDefinition(row.type).holdsTemplates ? textsOfConfig(row.config) : [],
        })),
      write: (row, reads) => writeStepTextReads(prisma, row, reads),
    },
    endsAt,
  );
}
