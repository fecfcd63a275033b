import { deliverCampaignJob } from '../../automation/campaigns/campaigns.jobs.ts';
import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { getContactInput } from './contacts.schema.ts';
import { findContactId } from './contacts.store.ts';
import { eraseContacts } from './erase.store.ts';
import { contactNotFound } from './get-contact.ts';

export const deleteContact = command({
  name: 'contacts.delete',
  summary:
    'Deletes a contact with its events, memberships and executions; its emails are kept without address and content',
  permission: 'data:write',
  risk: 'large',
  allowDisabled: true,
  errors: ['CONTACT_NOT_FOUND'],
  input: getContactInput,
  output: emptyObject,
  async handler(ctx, { id: reference }) {
    const projectId = projectIdOf(ctx);
    const id = await findContactId(ctx.db, projectId, reference);
    if (id === null) throw contactNotFound();
    const { found, campaignIds } = await eraseContacts(ctx.db, ctx.services.secrets, projectId, [id]);
    if (found.size === 0) throw contactNotFound();
    ctx.audit({ targetType: 'contact', targetId: id });
    for (const campaignId of campaignIds)
      ctx.afterCommit(() => ctx.services.workflows.signalDebounced(deliverCampaignJob, { campaignId }));
    return {};
  },
});
