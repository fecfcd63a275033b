import type { Services } from '../kernel/services.ts';
import { readContent, type StoredContent } from './ledger/content.store.ts';
import { createLinkBuilder } from './link-builder.ts';
import { prepareStored } from './prepare-stored.ts';

/** Tables of contents that were clicked lately; a content never changes, so neither does its table. */
const recent = new Map<string, readonly string[]>();
const recentLimit = 200;

/**
 * Where the fixed link number `linkId` of a content leads: the same numbering that its messages were made with.
 *
 * @returns null when there is no such link, or when the content is no longer stored
 */
export async function findFixedLink(
  services: Services,
  contentId: string,
  linkId: number,
): Promise<string | null> {
  const known = recent.get(contentId);
  if (known) {
    // Moving it to the end keeps what is in use from being the oldest.
    recent.delete(contentId);
    recent.set(contentId, known);
    return known[linkId] ?? null;
  }
  const table = await readTable(services, contentId);
  if (!table) return null;
  recent.set(contentId, table);
  if (recent.size > recentLimit) {
    const [oldest] = recent.keys();
    if (oldest !== undefined) recent.delete(oldest);
  }
  return table[linkId] ?? null;
}

async function readTable(services: Services, contentId: string): Promise<readonly string[] | null> {
  const content = await readContent(services.database.prisma, contentId, { attachments: false });
  if (!content) return null;
  return content.body === null ? content.links : linkTableOf(services, content);
}

/** The fixed links of a content, numbered as its messages number them; null when it is not stored any more. */
export function linkTableOf(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  content: StoredContent,
): readonly string[] | null {
  const links = createLinkBuilder(config.API_URL, secrets);
  // Only the table is wanted; the plan for filling gaps would be made in vain.
  const options = { tracking: true, neverFlat: true };
  return prepareStored({ ...content, attachments: [] }, links, options)?.linkTable ?? null;
}
