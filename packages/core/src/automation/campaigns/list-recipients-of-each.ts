import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectIdOf, query } from '../../base/kernel/index.ts';
import { withExpiredEmails } from '../../mail/ledger/index.ts';
import { findRecipientsOfEach } from '../../mail/sending/index.ts';
import { pendingOf } from './campaign-stats.ts';
import { listRecipientsInput, recipientListFlags, recipientRecord } from './campaigns.schema.ts';
import { findCampaigns } from './campaigns.store.ts';
import { totalOf } from './list-recipients.ts';

/** The recipients of several campaigns; GraphQL's nested lists use it. */
export const listRecipientsOfEach = query({
  name: 'campaigns.recipientsOfEach',
  summary: 'Lists the recipients of each campaign with their status, latest change first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({ ...pageOfEach, type: listRecipientsInput.shape.type }),
  output: z.array(pagesOfEach(recipientRecord).element.extend(recipientListFlags)),
  async handler(ctx, { ids, totals: _totals, ...input }) {
    const { limit, type } = input;
    const projectId = projectIdOf(ctx);
    const after = cursorsOf('campaigns.recipientsOfEach', input).after();
    const campaigns = await findCampaigns(ctx.db, projectId, ids);
    const expired = await withExpiredEmails(ctx.db, ids);
    const listed = campaigns.filter(({ id }) => !expired.has(id));
    const pages = await findRecipientsOfEach(
      ctx.db,
      listed.map((campaign) => ({
        ...{ projectId, campaignId: campaign.id, type, after, limit: limit + 1 },
        hasPending: pendingOf(campaign) > 0,
      })),
    );
    const rows = listed.flatMap(({ id }) =>
      (pages.get(id) ?? []).map(({ id: emailId, ...row }) => ({ ...row, emailId, campaignId: id })),
    );
    // The counters of a campaign have its totals.
    const totals = after ? [] : campaigns.map((each) => ({ id: each.id, count: totalOf(each, type) }));
    return pagesOf({ ids, limit }, rows, ({ campaignId }) => campaignId, totals).map((page) => ({
      ...page,
      expired: expired.has(page.id),
    }));
  },
});
