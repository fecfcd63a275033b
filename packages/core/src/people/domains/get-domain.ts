import { projectIdOf, query } from '../../base/kernel/index.ts';
import { domainNotFound } from './domain-not-found.ts';
import { domainIdInput, domainOutput } from './domains.schema.ts';
import { findDomain } from './domains.store.ts';
import { presentDomain } from './present-domain.ts';

export const getDomain = query({
  name: 'domains.get',
  summary: 'Returns one domain with its DNS records, as the last check found them',
  permission: 'domains:read',
  errors: ['DOMAIN_NOT_FOUND'],
  input: domainIdInput,
  output: domainOutput,
  async handler(ctx, { id }) {
    const row = await findDomain(ctx.db, projectIdOf(ctx), id);
    if (!row) throw domainNotFound();
    return presentDomain(row, ctx.services.config);
  },
});
