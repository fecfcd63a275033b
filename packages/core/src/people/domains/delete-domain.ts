import {
  type CommandContext,
  command,
  conflict,
  emptyObject,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { domainNotFound } from './domain-not-found.ts';
import { watchDomainJob } from './domains.jobs.ts';
import { domainIdInput } from './domains.schema.ts';
import {
  type DomainRow,
  failWaitingMail,
  findDomain,
  isSenderInUse,
  lockForRemoval,
  lockName,
  removeDomain,
} from './domains.store.ts';

/** Delivery batches whose email fails within the request; the watcher fails the rest when it finds the domain deleted. */
const withinRequest = 500;

export const deleteDomain = command({
  name: 'domains.delete',
  summary: 'Removes a sender domain; its queued emails fail',
  permission: 'domains:write',
  risk: 'closed',
  errors: ['DOMAIN_NOT_FOUND', 'CONFLICT'],
  input: domainIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const row = await findDomain(ctx.db, projectId, id);
    if (!row) throw domainNotFound();
    await assertUnused(ctx, row);
    await lockName(ctx.db, row.domain);
    if (!(await lockForRemoval(ctx.db, id))) throw domainNotFound();
    // Checked again: the previous holder of the lock may have created a template or campaign.
    await assertUnused(ctx, row);
    await removeDomain(ctx.db, row);
    await failWaitingMail(ctx.db, id, withinRequest);
    ctx.audit({ targetType: 'domain', targetId: id, name: row.domain });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(watchDomainJob, { domainId: id }));
    return {};
  },
});

async function assertUnused({ db }: CommandContext, { projectId, domain }: DomainRow): Promise<void> {
  if (!(await isSenderInUse(db, projectId, domain))) return;
  throw conflict(`Templates or campaigns use ${domain} as their sender domain`, {
    suggestion: suggestions.CONFLICT.domainUsed,
  });
}
