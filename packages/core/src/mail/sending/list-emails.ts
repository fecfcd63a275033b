import { withinTime } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { cachedTotal } from '../../base/figures/index.ts';
import { badRequest, cursorListOf, cursorsOf, projectOf, query, sha256 } from '../../base/kernel/index.ts';
import { periodOf } from '../../base/lib/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { idOfTemplate } from '../../content/templates/index.ts';
import { countEmails, type EmailRow, findByMetadata, searchEmails } from './emails.store.ts';
import { pairOf } from './labels.schema.ts';
import { presentEmails } from './present-email.ts';
import { emailListInput, emailRecord } from './sending.schema.ts';
import { totalOfEmails } from './tally/total-of-emails.ts';

const keyOf = (filter: object): string => sha256(JSON.stringify(filter)).toString('hex');

/** The id of no template, for an alias that none has. */
const noTemplate = '00000000-0000-0000-0000-000000000000';

/** More emails with one pair mean that it does not identify them. */
const mostWithPair = 5_000;

/** @throws AppError BAD_REQUEST for a pair that too many emails have */
export async function idsWith(db: Db, projectId: string, pair: string): Promise<string[]> {
  const ids = await findByMetadata(db, projectId, pairOf(pair), mostWithPair);
  if (ids.length <= mostWithPair) return ids;
  throw badRequest(`More than ${mostWithPair.toLocaleString('en')} emails have this pair of metadata`, {
    suggestion: 'Give emails that belong together a tag, and list them by that',
  });
}

export const listEmails = query({
  name: 'sending.listEmails',
  summary: 'Lists emails, by default newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: emailListInput,
  output: cursorListOf(emailRecord),
  async handler(ctx, input) {
    const { limit, cursor: _cursor, dir, ...filter } = input;
    const project = projectOf(ctx);
    const cursors = cursorsOf('sending.listEmails', input);
    const period = periodOf(filter, project.timeZone, 'excluded');
    const { metadata, ...given } = filter;
    const { templateId } = given;
    const search = {
      ...given,
      templateId: templateId && ((await idOfTemplate(ctx.db, project.id, templateId)) ?? noTemplate),
      ids: metadata === undefined ? undefined : await idsWith(ctx.db, project.id, metadata),
      ...period,
      projectId: project.id,
      dir,
      limit: limit + 1,
      after: cursors.after(),
    };
    const read = async (db: Db): Promise<[EmailRow[], number]> => [
      await searchEmails(db, search, routeId(ctx.services.config)),
      search.after ? 0 : await totalOf(db),
    ];
    // Very many emails take long to count.
    const totalOf = async (db: Db): Promise<number> =>
      (await totalOfEmails(db, search)) ??
      cachedTotal(db, { projectId: project.id, key: `emails.${keyOf({ ...filter, ...period })}` }, () =>
        countEmails(db, search),
      );
    // A search for a frequent text reads the project's emails from the newest on, so its time is limited.
    const [rows, total] = filter.search
      ? await ctx.services.database.prisma.$transaction((db) => withinTime(db, () => read(db)), {
          timeout: 30_000,
        })
      : await read(ctx.db);
    const emails = await presentEmails(ctx.services, project, rows);
    return cursors.page(emails, (row) => row[input.sort] ?? row.createdAt, total);
  },
});
