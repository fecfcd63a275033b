import { eraseContacts } from '../../audience/contacts/index.ts';
import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { authorOf } from '../../people/audit/index.ts';
import { insertErasure } from './erasures.store.ts';
import { findWhom } from './find-whom.ts';
import { presentErasure } from './present-erasure.ts';
import { erasePersonInput, erasure } from './privacy.schema.ts';

/**
 * What doors show of the person goes with the reply; the rest is searched for afterwards. An address that nobody has is answered alike, so
 * that the answer says nothing about it.
 */
export const erasePerson = command({
  name: 'privacy.erase',
  summary: 'Removes everything about one person, with a receipt; also by an address that no contact has',
  permission: 'privacy:manage',
  risk: 'closed',
  allowDisabled: true,
  errors: ['CONTACT_NOT_FOUND'],
  input: erasePersonInput,
  output: erasure,
  async handler(ctx, { reason, ...whom }) {
    const { db, services, actor } = ctx;
    const { secrets } = services;
    const projectId = projectIdOf(ctx);
    const { address, person } = await findWhom(ctx, whom);
    const id = newId();
    const contactIds = person ? [person.id] : [];
    const { removed, campaignIds } = await eraseContacts(db, secrets, projectId, contactIds);
    const row = await insertErasure(db, {
      id,
      projectId,
      addressHash: secrets.addressHash(projectId, address),
      addressCipher: secrets.encrypt(address, 'Erasure.addressCipher', id),
      contactIds,
      ...authorOf(actor),
      reason: reason ? reason : null,
      removed,
    });
    ctx.audit({ targetType: 'erasure', targetId: id });
    for (const campaignId of campaignIds)
      ctx.afterCommit(() => services.workflows.signalDebounced(deliverCampaignJob, { campaignId }));
    return presentErasure(db, { ...row, removed: {} });
  },
});
