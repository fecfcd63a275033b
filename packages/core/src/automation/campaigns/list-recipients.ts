import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { withExpiredEmails } from '../../mail/ledger/index.ts';
import { findRecipients, type RecipientType } from '../../mail/sending/index.ts';
import { pendingOf } from './campaign-stats.ts';
import { listRecipientsInput, recipientList } from './campaigns.schema.ts';
import { type CountedCampaign, type CounterRow, findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

const counterOf = {
  sent: 'sentCount',
  delivered: 'deliveredCount',
  opened: 'openedCount',
  clicked: 'clickedCount',
  bounced: 'bouncedCount',
  complained: 'complainedCount',
  failed: 'failedCount',
  skipped: 'skippedCount',
  uncertain: 'uncertainCount',
} as const satisfies Record<RecipientType, keyof CounterRow>;

/** The number of recipients of a type, or of all; before the freeze there are none. */
export function totalOf(campaign: CountedCampaign, type: RecipientType | undefined): number {
  if (type) return campaign[counterOf[type]];
  return campaign.frozenAt ? campaign.totalRecipients : 0;
}

export const listRecipients = query({
  name: 'campaigns.recipients',
  summary: 'Lists the recipients of a campaign with their status, latest change first',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND'],
  input: listRecipientsInput,
  output: recipientList,
  async handler(ctx, input) {
    const { id, limit, type } = input;
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('campaigns.recipients', input);
    const after = cursors.after();
    const campaign = await findCampaign(ctx.db, projectId, id);
    if (!campaign) throw campaignNotFound();
    const expired = (await withExpiredEmails(ctx.db, [id])).has(id);
    const search = { projectId, campaignId: id, type, hasPending: pendingOf(campaign) > 0, after };
    const rows = expired ? [] : await findRecipients(ctx.db, { ...search, limit: limit + 1 });
    const total = after ? 0 : totalOf(campaign, type);
    const { data, ...page } = cursors.page(rows, ({ occurredAt }) => occurredAt, total);
    return { ...page, expired, data: data.map(({ id: emailId, ...row }) => ({ ...row, emailId })) };
  },
});
