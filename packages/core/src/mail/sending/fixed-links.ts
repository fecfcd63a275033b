import type { Services } from '../../base/kernel/services.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { parseMs } from '../../content/templates/index.ts';
import { readContent, type StoredContent } from '../ledger/index.ts';
import { linkTableTask } from '../message/link-table.task.ts';

/** Link tables of recently clicked contents. Contents are immutable, so cached tables stay valid. */
const recent = new RecentMap<string, readonly string[]>(400);

/**
 * The URL of a content's fixed link `linkId`, numbered as in its messages.
 *
 * @returns null when the link does not exist, or the content is no longer stored
 */
export async function findFixedLink(
  services: Services,
  contentId: string,
  linkId: number,
): Promise<string | null> {
  const known = recent.get(contentId);
  if (known) return known[linkId] ?? null;
  const table = await readTable(services, contentId);
  if (!table) return null;
  recent.set(contentId, table);
  return table[linkId] ?? null;
}

async function readTable(services: Services, contentId: string): Promise<readonly string[] | null> {
  const content = await readContent(services.database.durable, contentId, { attachments: false });
  if (!content) return null;
  return content.body === null ? content.links : linkTableOf(services, content);
}

/** The fixed links of a content, numbered as in its messages; null when it is no longer stored. */
export async function linkTableOf(
  { threads }: Pick<Services, 'threads'>,
  { body, raw, ...content }: StoredContent,
): Promise<readonly string[] | null> {
  if (body === null) return null;
  // Links of submitted messages carry their URLs.
  if (raw) return [];
  const { projectId } = content;
  const message = { ...content, body, attachments: [], tracking: true };
  return threads.run(linkTableTask, message, { projectId, cpuMs: parseMs(body.length) });
}
