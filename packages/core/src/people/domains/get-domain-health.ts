import { projectIdOf, query } from '../../base/kernel/index.ts';
import { domainNotFound } from './domain-not-found.ts';
import { domainIdInput } from './domains.schema.ts';
import { findDomain } from './domains.store.ts';
import { checkHealth, worstOf } from './health/check-health.ts';
import { findZone } from './health/find-zone.ts';
import { domainHealthOutput } from './health.schema.ts';

export const getDomainHealth = query({
  name: 'domains.health',
  summary: 'Checks now what a strict receiver would object to in email from a domain',
  permission: 'domains:read',
  errors: ['DOMAIN_NOT_FOUND'],
  input: domainIdInput,
  output: domainHealthOutput,
  async handler(ctx, { id }) {
    const row = await findDomain(ctx.db, projectIdOf(ctx), id);
    if (!row) throw domainNotFound();
    const { id: domainId, domain } = row;
    const [checks, zone] = await Promise.all([
      checkHealth(ctx.services, row),
      findZone(ctx.services.dns, domain),
    ]);
    return { domainId, domain, status: worstOf(checks), checkedAt: new Date(), zone, checks };
  },
});
