import type { Services } from '../../base/kernel/index.ts';
import { readUnread, textsOf } from './read-texts.ts';
import { findUnreadTemplates, writeTextReads } from './templates.store.ts';

/** Reads the texts of templates that an earlier version has stored, for `reconcile`. @returns how many */
export function readUnreadTemplates(services: Services, endsAt: number): Promise<number> {
  const { prisma } = services.database;
  return readUnread(
    services,
    {
      find: async (limit) =>
        (await findUnreadTemplates(prisma, limit)).map((row) => ({ ...row, texts: textsOf(row) })),
      write: (row, reads) => writeTextReads(prisma, row, reads),
    },
    endsAt,
  );
}
