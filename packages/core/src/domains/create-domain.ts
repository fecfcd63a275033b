import { AppError, type CommandContext, command, conflict, newId, projectIdOf } from '../kernel/index.ts';
import { type NewDomainKey, newDomainKey } from './domain-key.ts';
import { watchDomainJob } from './domains.jobs.ts';
import { createDomainInput, domainOutput } from './domains.schema.ts';
import { findVerifiedElsewhere, hasDomain, insertDomain, insertKey, lockName } from './domains.store.ts';
import { presentDomain } from './present-domain.ts';

export const createDomain = command({
  name: 'domains.create',
  summary: 'Adds a sender domain and returns the DNS records to create for it.',
  permission: 'domains:write',
  errors: ['PROJECT_ACCESS_DENIED', 'CONFLICT'],
  input: createDomainInput,
  output: domainOutput,
  prepare: ({ services }) => newDomainKey(services.secrets),
  async handler(ctx, { domain, projectId: named }, key) {
    const projectId = projectIdOf(ctx);
    if (named !== undefined && named !== projectId) {
      throw new AppError('PROJECT_ACCESS_DENIED', 'The project named is not the one of this request');
    }
    await lockName(ctx.db, domain);
    if (await hasDomain(ctx.db, projectId, domain))
      throw conflict(`The domain ${domain} is in this project already`);
    const keyId = await keyFor(ctx, projectId, domain, key);
    const row = await insertDomain(ctx.db, { id: newId(), projectId, domain, keyId });
    ctx.audit({ targetType: 'domain', targetId: row.id });
    ctx.afterCommit(() => ctx.services.engine.wake(watchDomainJob, { domainId: row.id }));
    return presentDomain(row, ctx.services.config);
  },
});

/**
 * The key of a new domain: its own, or the one under which the caller's other project has it verified, so that one DNS
 * record serves both.
 *
 * @throws AppError CONFLICT when the domain is verified in a project that the caller is no member of
 */
async function keyFor(
  { db, actor }: CommandContext,
  projectId: string,
  domain: string,
  fresh: NewDomainKey,
): Promise<string> {
  const userId = actor.type === 'user' ? actor.userId : null;
  const elsewhere = await findVerifiedElsewhere(db, { projectId, domain, userId });
  if (elsewhere.some(({ isMember }) => !isMember)) {
    throw conflict(`The domain ${domain} is verified in another project`, {
      suggestion: 'Remove it there first, or add it signed in as a member of both projects',
    });
  }
  const [shared] = elsewhere;
  if (shared) return shared.keyId;
  const keyId = newId();
  await insertKey(db, keyId, domain, fresh);
  return keyId;
}
