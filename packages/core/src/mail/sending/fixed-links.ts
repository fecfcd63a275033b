import type { Services } from '../../base/kernel/services.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { parseMs } from '../../content/templates/index.ts';
import { readContents, type StoredContent } from '../ledger/index.ts';
import type { MessageContent } from '../message/index.ts';
import { linkTablesTask } from '../message/link-table.task.ts';

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
  const [content] = await readContents(services.database.durable, [contentId]);
  if (!content) return null;
  if (content.body === null) return content.links;
  const [table = null] = await linkTablesOf(services, [content]);
  return table;
}

/** Characters of texts that one task works on; a longer content has one of its own. */
const textsAtOnce = 200_000;

/**
 * The fixed links of contents, numbered as in their messages; null for one that is not stored any longer, and of which no message can be
 * made: it was never sent, so it needs none.
 *
 * @throws TaskLimitError when one of them takes too long
 */
export async function linkTablesOf(
  { threads }: Pick<Services, 'threads'>,
  contents: readonly StoredContent[],
): Promise<(readonly string[] | null)[]> {
  // Links of submitted messages carry their URLs.
  const tables = contents.map(({ body, raw }): readonly string[] | null =>
    body !== null && raw ? [] : null,
  );
  const open = [...contents.entries()].flatMap(([place, { body, raw, ...content }]) =>
    body === null || raw ? [] : [{ place, message: { ...content, body, attachments: [], tracking: true } }],
  );
  for (const part of partsOf(open)) {
    const messages = part.map(({ message }) => message);
    const length = messages.reduce((sum, { body }) => sum + body.length, 0);
    const projectId = messages[0]?.projectId ?? '';
    const found = await threads.run(linkTablesTask, messages, { projectId, cpuMs: parseMs(length) });
    for (const [index, { place }] of part.entries()) tables[place] = found[index] ?? null;
  }
  return tables;
}

interface Open {
  place: number;
  message: MessageContent & { projectId: string };
}

/** What one task works on: contents of one project, in their order. */
function partsOf(open: readonly Open[]): Open[][] {
  const parts: Open[][] = [];
  let length = 0;
  for (const each of open) {
    const last = parts.at(-1);
    length += each.message.body.length;
    if (last && length <= textsAtOnce && last[0]?.message.projectId === each.message.projectId)
      last.push(each);
    else {
      parts.push([each]);
      length = each.message.body.length;
    }
  }
  return parts;
}
