import type { Services } from '../../base/kernel/index.ts';
import { readUnread } from '../../content/templates/index.ts';
import { templatesIn } from './config-texts.ts';
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
          texts: templatesIn(row.type, row.config),
        })),
      write: (row, reads) => writeStepTextReads(prisma, row, reads),
    },
    endsAt,
  );
}
