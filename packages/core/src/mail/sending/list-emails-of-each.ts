import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectOf, query } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { countEmailsOfEach, emailsOfEach } from './emails-of-each.store.ts';
import { presentEmails } from './present-email.ts';
import { emailRecord } from './sending.schema.ts';

/** The emails of several contacts, campaigns, templates or executions; GraphQL's nested lists use it. */
export const listEmailsOfEach = query({
  name: 'sending.emailsOfEach',
  summary: 'Lists the emails of each contact, campaign, template or execution, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({
    ...pageOfEach,
    parent: z.enum(['contactId', 'campaignId', 'templateId', 'workflowExecutionId']),
  }),
  output: pagesOfEach(emailRecord),
  async handler(ctx, { ids, totals, ...input }) {
    const project = projectOf(ctx);
    const after = cursorsOf('sending.emailsOfEach', input).after();
    const search = { projectId: project.id, parent: input.parent, ids };
    const page = { after, take: input.limit + 1 };
    const [rows, counts] = await Promise.all([
      emailsOfEach(ctx.db, search, page, routeId(ctx.services.config)),
      totals && !after ? countEmailsOfEach(ctx.db, search) : [],
    ]);
    const emails = await presentEmails(ctx.services, project, rows);
    return pagesOf({ ids, limit: input.limit }, emails, (email) => email[input.parent], counts);
  },
});
