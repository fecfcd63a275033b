import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { domainListOutput, listDomainsInput } from './domains.schema.ts';
import { findDomains } from './domains.store.ts';
import { presentDomain } from './present-domain.ts';

export const listDomains = query({
  name: 'domains.list',
  summary: 'Lists the domains of a project with their DNS records, newest first',
  permission: 'domains:read',
  errors: ['PROJECT_ACCESS_DENIED'],
  input: listDomainsInput,
  output: domainListOutput,
  async handler(ctx, { projectId: named }) {
    const projectId = projectIdOf(ctx);
    if (named !== undefined && named !== projectId) {
      throw new AppError('PROJECT_ACCESS_DENIED', 'You have no access to this project');
    }
    const rows = await findDomains(ctx.db, projectId);
    return rows.map((row) => presentDomain(row, ctx.services.config));
  },
});
