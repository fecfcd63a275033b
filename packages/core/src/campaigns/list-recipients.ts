import { cursorsOf, projectIdOf, query } from '../kernel/index.ts';
import { countRecipients, findRecipients } from '../sending/index.ts';
import { listRecipientsInput, recipientList } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

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
    if (!(await findCampaign(ctx.db, projectId, id))) throw campaignNotFound();
    const search = { projectId, campaignId: id, type, after, limit: limit + 1 };
    const [rows, total] = await Promise.all([
      findRecipients(ctx.db, search),
      after ? 0 : countRecipients(ctx.db, search),
    ]);
    const { data, ...page } = cursors.page(rows, ({ occurredAt }) => occurredAt, total);
    return { ...page, data: data.map(({ id: emailId, ...row }) => ({ ...row, emailId })) };
  },
});
