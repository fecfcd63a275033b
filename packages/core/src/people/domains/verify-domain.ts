import { type Context, projectIdOf, query, type Services } from '../../base/kernel/index.ts';
import { checkDomain } from './check-domain.ts';
import { domainNotFound } from './domain-not-found.ts';
import { checkUpdate, watchDomainJob } from './domains.jobs.ts';
import { domainIdInput, domainOutput } from './domains.schema.ts';
import { findDomain, needsNoRecords, raiseWake } from './domains.store.ts';
import { presentDomain } from './present-domain.ts';

/** With the check here that follows where the engine answers but no worker does, the reply takes at most 15 seconds (behaviour B4.11). */
const engineTimeoutMs = 8_000;

export const verifyDomain = query({
  name: 'domains.verify',
  summary: 'Checks the DNS records of a domain now and returns the result',
  permission: 'domains:read',
  outside: true,
  errors: ['DOMAIN_NOT_FOUND'],
  input: domainIdInput,
  output: domainOutput,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    const found = await findDomain(ctx.db, projectId, id);
    if (!found) throw domainNotFound();
    if (!needsNoRecords(ctx.services.config, found)) await checkNow(ctx, id);
    const row = await findDomain(ctx.db, projectId, id);
    if (!row) throw domainNotFound();
    return presentDomain(row, ctx.services.config);
  },
});

/** Checks through the watcher, which serialises checks; here when it does not answer. Both write under the lock of the row. */
async function checkNow({ services, db }: Context, domainId: string): Promise<void> {
  if (await isCheckedByWatcher(services, domainId)) return;
  await checkDomain(services, domainId, { forced: true });
  await raiseWake(db, domainId);
  services.workflows.signalDebounced(watchDomainJob, { domainId });
}

/** An engine that is known to be away is not waited for. */
async function isCheckedByWatcher({ engine, workflows, log }: Services, domainId: string): Promise<boolean> {
  if ((await engine.now()).state !== 'ok') return false;
  try {
    await workflows.request(watchDomainJob, { domainId }, checkUpdate, engineTimeoutMs);
    return true;
  } catch (error) {
    log.warn({ err: error, domainId }, 'the watcher does not answer; checking the domain here');
    return false;
  }
}
