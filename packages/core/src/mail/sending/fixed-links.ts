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
 */
export async function linkTablesOf(
  { threads, log }: Pick<Services, 'threads' | 'log'>,
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
    const length = part.reduce((sum, { message }) => sum + message.body.length, 0);
    const found = await threads
      .run(
        linkTablesTask,
        part.map(({ message }) => message),
        { projectId: part[0]?.message.projectId ?? '', cpuMs: parseMs(length) },
      )
      .catch(async (error: unknown) => {
        // One of them reached a limit: the others must not suffer for it.
        if (part.length > 1) return null;
        log.warn({ err: error, contentId: part[0]?.message.id }, 'the links of a content cannot be found');
        return [];
      });
    const alone = found === null ? part.map(({ place }) => contents[place] as StoredContent) : [];
    const results = found ?? (await linkTablesAlone({ threads, log }, alone));
    for (const [index, { place }] of part.entries()) tables[place] = results[index] ?? null;
  }
  return tables;
}

async function linkTablesAlone(
  services: Pick<Services, 'threads' | 'log'>,
  contents: readonly StoredContent[],
): Promise<(readonly string[] | null)[]> {
  const tables: (readonly string[] | null)[] = [];
  for (const content of contents) tables.push((await linkTablesOf(services, [content]))[0] ?? null);
  return tables;
}

interface Open {
  place: number;
  message: MessageContent & { id: string; projectId: string };
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
