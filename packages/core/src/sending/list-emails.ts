import { cursorListOf, cursorsOf, projectOf, query } from '../kernel/index.ts';
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
  async handler(ctx, input) {
    const { limit, cursor: _cursor, ...filter } = input;
    const project = projectOf(ctx);
    const cursors = cursorsOf('sending.listEmails', input);
    const search = {
      ...filter,
      projectId: project.id,
      limit: limit + 1,
      after: cursors.after(),
    };
    const [rows, total] = await Promise.all([
      searchEmails(ctx.db, search, routeId(ctx.services.config)),
      search.after ? 0 : countEmails(ctx.db, search),
    ]);
    const emails = await presentEmails(ctx.services, project, rows);
    return cursors.page(emails, (row) => row.createdAt, total);
  },
});
