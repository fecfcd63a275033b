import type { Services } from '../../base/kernel/index.ts';
import { readUnread, textsOf } from '../../content/templates/index.ts';
import { findUnreadCampaigns, writeTextReads } from './campaigns.store.ts';

/** Reads the texts of campaigns that an earlier version has stored, for `reconcile`. @returns how many */
export function readUnreadCampaigns(services: Services, endsAt: number): Promise<number> {
  const { prisma } = services.database;
  return readUnread(
    services,
    {
      find: async (limit) =>
        (await findUnreadCampaigns(prisma, limit)).map((row) => ({ ...row, texts: textsOf(row) })),
      write: (row, reads) => writeTextReads(prisma, row, reads),
    },
    endsAt,
  );
}
