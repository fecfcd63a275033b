import { followImport } from '@postrider/core/audience/contacts';
import { followCampaign } from '@postrider/core/automation/campaigns';
import { followExecution } from '@postrider/core/automation/workflows';
import { watchActivity } from '@postrider/core/insight/activity';
import { watchDeliveries } from '@postrider/core/insight/webhook-endpoints';
import { ActivityItem } from './activity.ts';
import { builder } from './builder.ts';
import { Campaign } from './campaigns.ts';
import { ImportJob } from './contacts.ts';
import { WebhookDelivery } from './webhook-endpoints.ts';
import { Execution } from './workflows.ts';

/** Sent as server-sent events in the distinct connections mode of graphql-sse (behaviour B4.21). */
builder.subscriptionType({});

builder.subscriptionFields((t) => ({
  activity: t.field({
    type: ActivityItem,
    description: 'Each item of the activity feed as it happens.',
    extensions: { operation: 'activity.list' },
    args: {
      types: t.arg.string({ description: 'Only items of these types, separated by commas.' }),
      contactId: t.arg.id({ description: 'Only items of this contact.' }),
      after: t.arg.id({
        description:
          'Id of the last item received before a connection was lost: begins with the items that followed it, at most the newest 1,000.',
      }),
    },
    subscribe: (_root, filter, { ctx }) => watchActivity(ctx, filter),
    resolve: (item) => item,
  }),
  campaignProgress: t.field({
    type: Campaign,
    description: 'The campaign with its counters, now and after each change, until it is sent or cancelled.',
    extensions: { operation: 'campaigns.get' },
    args: { id: t.arg.id({ required: true, description: 'Id of the campaign.' }) },
    subscribe: (_root, { id }, { ctx }) => followCampaign(ctx, id),
    resolve: (campaign) => campaign,
  }),
  importProgress: t.field({
    type: ImportJob,
    description: 'The import, now and after each change, until it has ended.',
    extensions: { operation: 'contacts.getImport' },
    args: { id: t.arg.id({ required: true, description: 'Id of the job.' }) },
    subscribe: (_root, { id }, { ctx }) => followImport(ctx, id),
    resolve: (job) => job,
  }),
  executionProgress: t.field({
    type: Execution,
    description: 'The execution with the steps it ran, now and after each change, until it has ended.',
    extensions: { operation: 'workflows.getExecution' },
    args: { id: t.arg.id({ required: true, description: 'Id of the execution.' }) },
    subscribe: (_root, { id }, { ctx }) => followExecution(ctx, id),
    resolve: (execution) => execution,
  }),
  webhookDeliveries: t.field({
    type: WebhookDelivery,
    description:
      'Each new delivery of a webhook endpoint, and each change of one of its newest 100: its attempts, accepted or failed.',
    extensions: { operation: 'webhooks.deliveries' },
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    subscribe: (_root, { id }, { ctx }) => watchDeliveries(ctx, id),
    resolve: (delivery) => delivery,
  }),
}));
