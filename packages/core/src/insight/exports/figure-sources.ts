import { getContacts } from '../../audience/contacts/index.ts';
import {
  countCampaigns,
  figuresOfVariants,
  findCampaign,
  pageOfCampaigns,
} from '../../automation/campaigns/index.ts';
import { countConversionsOf, getGoal, pageOfConversions } from '../../automation/goals/index.ts';
import { conversionRateOf, countsOfCampaign, ratesOf } from '../../base/figures/index.ts';
import { type Context, cursorsOf, projectIdOf } from '../../base/kernel/index.ts';
import { campaignStatus } from '../../base/kernel/schemas.ts';
import { providersOfCampaign, topLinks } from '../analytics/index.ts';
import type { Source } from './source.ts';

const limit = 100;
/** Those that are counted one by one, and the row of all others. */
const mostLinks = 1_001;

/** A campaign without its texts. */
const campaignColumns = [
  ...[
    'id',
    'name',
    'subject',
    'type',
    'topic',
    'status',
    'statusReason',
    'audienceType',
    'segmentId',
    'templateId',
  ],
  ...[
    'familyId',
    'round',
    'holdout',
    'scheduledFor',
    'sentAt',
    'totalRecipients',
    'sentCount',
    'acceptedCount',
  ],
  ...['refusedCount', 'deliveredCount', 'openedCount', 'clickedCount', 'bouncedCount', 'complainedCount'],
  ...[
    'unsubscribedCount',
    'failedCount',
    'skippedCount',
    'heldOutCount',
    'uncertainCount',
    'deliveryReported',
  ],
  ...[
    'openRate',
    'clickRate',
    'clickToOpenRate',
    'bounceRate',
    'acceptRate',
    'deliveryRate',
    'complaintRate',
  ],
  ...[
    'unsubscribeRate',
    'goalId',
    'convertedCount',
    'conversionRate',
    'convertedValue',
    'createdAt',
    'updatedAt',
  ],
];

const providerColumns = [
  ...['provider', 'sent', 'accepted', 'refused', 'delivered', 'opened', 'clicked', 'bounced', 'complained'],
  ...[
    'unsubscribed',
    'deliveryReported',
    'openRate',
    'clickRate',
    'clickToOpenRate',
    'bounceRate',
    'acceptRate',
  ],
  ...['deliveryRate', 'complaintRate', 'unsubscribeRate'],
];

const variantColumns = [
  ...['key', 'recipients', 'sent', 'accepted', 'refused', 'delivered', 'opened', 'clicked', 'bounced'],
  ...['complained', 'unsubscribed', 'converted', 'value', 'openRate', 'clickRate', 'unsubscribeRate'],
  ...['bounceRate', 'conversionRate'],
];

const conversionColumns = [
  ...[
    'id',
    'eventId',
    'contactId',
    'email',
    'at',
    'value',
    'currency',
    'emailId',
    'campaignId',
    'workflowId',
  ],
];

/** A row whose times are texts, as in the lists. */
const withTexts = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );

/** All rows are read at once. */
const wholePage = (rows: readonly object[]) => ({
  rows: rows.map(withTexts),
  total: rows.length,
  cursor: null,
});

const required = (id: string | undefined): string => {
  if (id === undefined) throw new Error('the input has been checked to name it');
  return id;
};

const cursorOf = (list: string, cursor: string | null) =>
  cursorsOf(list, { limit, ...(cursor !== null && { cursor }) });

/** What campaigns and goals have led to. */
export const figureSources = {
  campaigns: {
    time: 'createdAt',
    byTime: true,
    columns: async () => campaignColumns,
    async page(ctx, { status: given }, cursor) {
      const projectId = projectIdOf(ctx);
      const cursors = cursorOf('exports.campaigns', cursor);
      const after = cursors.after();
      const status = given === undefined ? undefined : campaignStatus.parse(given);
      const campaigns = await pageOfCampaigns(ctx.db, projectId, status, { after, take: limit + 1 });
      const total = after ? 0 : await countCampaigns(ctx.db, projectId, status);
      const page = cursors.page(campaigns, ({ createdAt }) => createdAt, total);
      const rows = page.data.map((campaign) =>
        withTexts({
          ...campaign,
          ...ratesOf(countsOfCampaign(campaign)),
          conversionRate: conversionRateOf(campaign.convertedCount, campaign.sentCount),
        }),
      );
      return { ...page, rows };
    },
  },
  links: {
    columns: async () => ['url', 'clicks', 'clickers'],
    async page(ctx, { campaignId }) {
      const scope = { projectId: projectIdOf(ctx), scopeId: required(campaignId) };
      return wholePage(await topLinks(ctx.db, scope, mostLinks));
    },
  },
  providers: {
    columns: async () => providerColumns,
    async page(ctx, { campaignId }) {
      const scope = { projectId: projectIdOf(ctx), campaignId: required(campaignId) };
      return wholePage(await providersOfCampaign(ctx.db, scope));
    },
  },
  variants: {
    columns: async () => variantColumns,
    async page(ctx, { campaignId }) {
      const campaign = await findCampaign(ctx.db, projectIdOf(ctx), required(campaignId));
      return wholePage(campaign ? await figuresOfVariants(ctx.db, campaign) : []);
    },
  },
  conversions: {
    time: 'at',
    byTime: true,
    columns: async () => conversionColumns,
    async page(ctx, { goalId: given }, cursor) {
      const projectId = projectIdOf(ctx);
      const goalId = required(given);
      const cursors = cursorOf('exports.conversions', cursor);
      const after = cursors.after();
      const found = await pageOfConversions(ctx.db, projectId, goalId, { after, take: limit + 1 });
      const total = after ? 0 : await countConversionsOf(ctx.db, projectId, goalId);
      const page = cursors.page(found, ({ at }) => at, total);
      const { value: ofValue } = await getGoal.run(ctx, { id: goalId });
      const addresses = await addressesOf(ctx, page.data);
      const rows = page.data.map((row) =>
        withTexts({
          ...row,
          email: addresses.get(row.contactId ?? '') ?? null,
          currency: row.value === null ? null : (ofValue?.currency ?? null),
        }),
      );
      return { ...page, rows };
    },
  },
} satisfies Record<string, Source>;

/** Of the contacts that there still are, by their ids. */
async function addressesOf(
  ctx: Context,
  rows: readonly { contactId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ contactId }) => contactId ?? []))];
  const contacts = ids.length === 0 ? [] : await getContacts.run(ctx, { ids });
  return new Map(contacts.map(({ id, email }) => [id, email]));
}
