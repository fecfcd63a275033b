import { reportEvent } from '../../base/event-types/index.ts';
import {
  AppError,
  type CommandContext,
  type Context,
  command,
  conflict,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { environmentOf } from '../projects/index.ts';
import { newDomainKey } from './domain-key.ts';
import { domainNotice } from './domain-notice.ts';
import { watchDomainJob } from './domains.jobs.ts';
import { createDomainInput, domainOutput } from './domains.schema.ts';
import {
  countDomains,
  findLeaders,
  findVerifiedElsewhere,
  hasDomain,
  hasProvenOwner,
  insertDomain,
  lockName,
} from './domains.store.ts';
import { presentDomain } from './present-domain.ts';
import { registerDomain } from './register-domain.ts';

export const createDomain = command({
  name: 'domains.create',
  summary: 'Adds a sender domain and returns the DNS records to create',
  permission: 'domains:write',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'EMAIL_VERIFICATION_REQUIRED', 'CONFLICT'],
  input: createDomainInput,
  output: domainOutput,
  async prepare(ctx, { domain }) {
    const { services } = ctx;
    // No request changes it.
    const verifiedBy = await verifierOf(ctx);
    const [key, sesTokens] = await Promise.all([
      newDomainKey(services.secrets),
      verifiedBy === null ? registerDomain(services, domain) : [],
    ]);
    return { key, sesTokens, verifiedBy };
  },
  async handler(ctx, { domain, projectId: named }, { key, sesTokens, verifiedBy }) {
    const projectId = projectIdOf(ctx);
    if (named !== undefined && named !== projectId) {
      throw new AppError('PROJECT_ACCESS_DENIED', 'projectId is not the project of this request');
    }
    if (verifiedBy !== 'TEST') await requireProvenOwner(ctx, projectId);
    await lockName(ctx.db, domain);
    if (await hasDomain(ctx.db, projectId, domain))
      throw conflict(`The domain ${domain} already exists in this project`, {
        suggestion: suggestions.CONFLICT.domainExists,
      });
    const most = ctx.services.config.MAX_DOMAINS_PER_PROJECT;
    if ((await countDomains(ctx.db, projectId)) >= most) {
      throw conflict(`This project already has ${most} domains, which is the limit of this installation`, {
        suggestion: suggestions.CONFLICT.mostDomains,
      });
    }
    if (verifiedBy === null) await settleWithOwners(ctx, projectId, domain);
    const row = await insertDomain(ctx.db, { id: newId(), projectId, domain, sesTokens, verifiedBy }, key);
    ctx.audit({ targetType: 'domain', targetId: row.id });
    if (verifiedBy !== null) {
      await reportEvent(ctx.db, 'domain.verified', projectId, {
        domainId: row.id,
        domain,
        status: row.status,
      });
      return presentDomain(row, ctx.services.config);
    }
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(watchDomainJob, { domainId: row.id }));
    return presentDomain(row, ctx.services.config);
  },
});

/** What verifies every domain of the project at once, without DNS (behaviour B15.9); null where its records count. */
async function verifierOf(ctx: Context): Promise<'TEST' | 'LOCAL_MAILBOX' | null> {
  if ((await environmentOf(ctx.db, projectIdOf(ctx))) === 'TEST') return 'TEST';
  return ctx.services.config.mailboxUrl === null ? null : 'LOCAL_MAILBOX';
}

/**
 * Where new projects are capped, one whose owner has not proven an address sends from the sandbox alone (behaviour B8.1).
 *
 * @throws AppError EMAIL_VERIFICATION_REQUIRED
 */
async function requireProvenOwner({ db, services }: CommandContext, projectId: string): Promise<void> {
  if (services.config.NEW_PROJECT_RAMP === undefined || (await hasProvenOwner(db, projectId))) return;
  throw new AppError(
    'EMAIL_VERIFICATION_REQUIRED',
    'The owner of this project has to verify their email address before it can have a domain',
    { suggestion: `Send from ${services.config.sandboxFrom} to your own address until then` },
  );
}

/**
 * A domain that other projects have verified may only be added by an owner or admin of all of them; their owners and admins get a notice.
 *
 * @throws AppError CONFLICT for other callers
 */
async function settleWithOwners(
  { db, actor, services, afterCommit }: CommandContext,
  projectId: string,
  domain: string,
): Promise<void> {
  const userId = actor.type === 'user' ? actor.userId : null;
  const elsewhere = await findVerifiedElsewhere(db, { projectId, domain, userId });
  if (elsewhere.some(({ isLeader }) => !isLeader)) {
    throw conflict(`The domain ${domain} is verified in another project`, {
      suggestion: suggestions.CONFLICT.domainElsewhere,
    });
  }
  for (const owner of elsewhere) {
    for (const to of await findLeaders(db, owner.projectId)) {
      const notice = domainNotice(
        services.config,
        { domain, projectId: owner.projectId },
        'added elsewhere',
        to,
      );
      await services.platformMail.write(db, notice);
    }
  }
  if (elsewhere.length > 0) afterCommit(() => services.platformMail.notify());
}
