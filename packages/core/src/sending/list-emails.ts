import { cursorListOf, cursorPage, decodeCursor, projectOf, query } from '../kernel/index.ts';
import { routeId } from './delivery/route-guard.ts';
import { countEmails, searchEmails } from './emails.store.ts';
import { presentEmails } from './present-email.ts';
import { emailListInput, emailRecord } from './sending.schema.ts';

export const listEmails = query({
  name: 'sending.listEmails',
  summary: 'Lists emails, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: emailListInput,
  output: cursorListOf(emailRecord),
  async handler(ctx, { limit, cursor, ...filter }) {
    const project = projectOf(ctx);
    const search = {
      ...filter,
      projectId: project.id,
      limit: limit + 1,
      after: cursor !== undefined ? decodeCursor(cursor) : null,
    };
    const [rows, total] = await Promise.all([
      searchEmails(ctx.db, search, routeId(ctx.services.config)),
      search.after ? 0 : countEmails(ctx.db, search),
    ]);
    const emails = presentEmails(ctx.services, project.language, rows);
    return cursorPage(emails, limit, (row) => row.createdAt, total);
  },
});
