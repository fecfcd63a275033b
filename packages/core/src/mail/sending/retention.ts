import { TaskLimitError } from '../../base/kernel/index.ts';
import type { Services } from '../../base/kernel/services.ts';
import { systemProjectId } from '../../people/projects/index.ts';
import {
  type ClearedContent,
  clearBodiesOf,
  clearContents,
  clearErasedContents,
  findOldContents,
  keepBlobs,
  readContents,
  removeBlobs,
  removeContactSlots,
  removeEmailsOf,
  removeSources,
  type StoredContent,
} from '../ledger/index.ts';
import {
  blobKeptMs,
  contentRowKeptMs,
  noticeKeptMs,
  platformBodyKeptMs,
  platformMailKeptMs,
  waitingMs,
} from '../ledger/retention.rules.ts';
import { forgetNotices } from '../news/index.ts';
import { linkTablesOf } from './fixed-links.ts';

/** Contents whose texts are read at once. */
const pageOfContents = 100;

/**
 * Clears a batch of contents whose email is older than 90 days (behaviour B8.5); links in that email keep working.
 *
 * @returns how many were cleared
 */
export async function sweepContents(services: Services, now: Date, limit: number): Promise<number> {
  const { prisma } = services.database;
  const ids = await findOldContents(prisma, new Date(now.getTime() - contentRowKeptMs), limit);
  for (let first = 0; first < ids.length; first += pageOfContents)
    await clearContents(prisma, await linksOf(services, ids.slice(first, first + pageOfContents)));
  return ids.length;
}

/** Clears a batch of texts that only erased contacts got. @returns how many were looked at */
export const sweepErasedContents = (services: Services, now: Date, limit: number): Promise<number> =>
  clearErasedContents(services.database.prisma, now, Math.min(limit, pageOfContents), (ids) =>
    linksOf(services, ids),
  );

/** The links of contents; none of one of which no message can be made, because it was never sent. */
async function linksOf(services: Services, ids: readonly string[]): Promise<ClearedContent[]> {
  const contents = await readContents(services.database.durable, ids);
  try {
    const tables = await linkTablesOf(services, contents);
    return contents.map(({ id }, index) => ({ id, links: tables[index] ?? [] }));
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
  }
  // The one that takes too long must not cost the others their links.
  const cleared: ClearedContent[] = [];
  for (const content of contents)
    cleared.push({ id: content.id, links: await linksOfOne(services, content) });
  return cleared;
}

async function linksOfOne(services: Services, content: StoredContent): Promise<readonly string[]> {
  try {
    const [links] = await linkTablesOf(services, [content]);
    return links ?? [];
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error;
    services.log.warn({ err: error, contentId: content.id }, 'a content was cleared without its links');
    return [];
  }
}

const pageOfBatches = 1_000;

/** Keeps the attachments and submitted messages of email that has waited for an hour or longer. */
export async function keepNeededBlobs(services: Services, now: Date): Promise<void> {
  const before = new Date(now.getTime() - waitingMs);
  const until = new Date(now.getTime() + blobKeptMs);
  let after: string | null = null;
  do {
    ({ next: after } = await keepBlobs(services.database.prisma, {
      after,
      limit: pageOfBatches,
      before,
      until,
    }));
  } while (after !== null);
}

/** Removes a batch of attachments and submitted messages that no email needs any longer. @returns how many */
export const sweepAttachments = (services: Services, now: Date, limit: number): Promise<number> =>
  removeBlobs(services.database.prisma, now, limit);

/** Clears a batch of bodies of emails of the platform that were settled a day ago. @returns how many */
export const sweepPlatformBodies = (services: Services, now: Date, limit: number): Promise<number> =>
  clearBodiesOf(
    services.database.prisma,
    systemProjectId,
    new Date(now.getTime() - platformBodyKeptMs),
    limit,
  );

/** Removes a batch of emails of the platform that are 30 days old. @returns how many */
export const sweepPlatformMail = (services: Services, now: Date, limit: number): Promise<number> =>
  removeEmailsOf(
    services.database.prisma,
    systemProjectId,
    new Date(now.getTime() - platformMailKeptMs),
    limit,
  );

/** Removes a batch of messages of test projects that are older than 7 days, or beyond the newest 200 MB of their project. @returns how many */
export const sweepSources = (services: Services, now: Date, limit: number): Promise<number> =>
  removeSources(services.database.prisma, now, limit);

/** Removes a batch of records of limits per contact in which nothing counts any more. @returns how many */
export const sweepContactLimits = (services: Services, now: Date, limit: number): Promise<number> =>
  removeContactSlots(services.database.prisma, now, limit);

/** Forgets a batch of reports of bounces and complaints that cannot be repeated any more. @returns how many */
export const sweepNotices = (services: Services, now: Date, limit: number): Promise<number> =>
  forgetNotices(services.database.prisma, new Date(now.getTime() - noticeKeptMs), limit);
