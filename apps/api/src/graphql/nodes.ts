import { getContacts } from '@postrider/core/audience/contacts';
import { getEvents } from '@postrider/core/audience/events';
import { getSegments } from '@postrider/core/audience/segments';
import { getCampaigns } from '@postrider/core/automation/campaigns';
import { getExecution, getWorkflows } from '@postrider/core/automation/workflows';
import { AppError, type Context } from '@postrider/core/base/kernel';
import { getBlock, getTemplates } from '@postrider/core/content/templates';
import { findNodes, type NodeType } from '@postrider/core/insight/search';
import { getEndpoint, getWebhookDelivery } from '@postrider/core/insight/webhook-endpoints';
import { getEmails } from '@postrider/core/mail/sending';
import { getDomain } from '@postrider/core/people/domains';
import { builder } from './builder.ts';
import type { ManyById } from './loaders.ts';
import { Node, type NodeRecord } from './node.ts';

interface Found {
  id: string;
  parentId: string | null;
}

type Read = (ctx: Context, found: readonly Found[]) => Promise<({ id: string } | null)[]>;

const many =
  (operation: ManyById<{ id: string }>): Read =>
  (ctx, found) =>
    operation.runRaw(ctx, { ids: found.map(({ id }) => id) });

/** For types whose operation reads one record. One that has been deleted in the meantime is null. */
const each =
  (read: (ctx: Context, found: Found) => Promise<{ id: string }>): Read =>
  (ctx, found) =>
    Promise.all(
      found.map(async (one) => {
        try {
          return await read(ctx, one);
        } catch (error) {
          if (error instanceof AppError && error.kind === 'not_found') return null;
          throw error;
        }
      }),
    );

const readers: Record<NodeType, Read> = {
  Contact: many(getContacts),
  Template: many(getTemplates),
  Campaign: many(getCampaigns),
  Segment: many(getSegments),
  Workflow: many(getWorkflows),
  Execution: each((ctx, { id, parentId }) => getExecution.runRaw(ctx, { id: parentId, executionId: id })),
  Email: many(getEmails),
  Event: many(getEvents),
  Domain: each((ctx, { id }) => getDomain.runRaw(ctx, { id })),
  WebhookEndpoint: each((ctx, { id }) => getEndpoint.runRaw(ctx, { id })),
  WebhookDelivery: each((ctx, { id, parentId }) =>
    getWebhookDelivery.runRaw(ctx, { id: parentId, deliveryId: id }),
  ),
  SavedBlock: each((ctx, { id }) => getBlock.runRaw(ctx, { id })),
};

/** The records with these ids, in their order; null for what the project does not have. */
async function nodesOf(ctx: Context, ids: readonly string[]): Promise<(NodeRecord | null)[]> {
  const found = await findNodes.runRaw(ctx, { ids });
  const groups = Map.groupBy(found, ({ type }) => type);
  const read = await Promise.all(
    [...groups].map(async ([type, members]) =>
      (await readers[type](ctx, members)).flatMap((record) =>
        record ? [{ ...record, __typename: type }] : [],
      ),
    ),
  );
  const byId = new Map(read.flat().map((record) => [record.id, record]));
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'The record with this id, of whatever type; null for an unknown id.',
    extensions: { operation: findNodes.name },
    args: { id: t.arg.id({ required: true, description: 'Id of the record.' }) },
    resolve: async (_root, { id }, { ctx }) => (await nodesOf(ctx, [id]))[0] ?? null,
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The records with these ids, in their order; null for each unknown id.',
    extensions: { operation: findNodes.name },
    args: { ids: t.arg.idList({ required: true, description: 'Ids of the records, 1 to 100.' }) },
    resolve: (_root, { ids }, { ctx }) => nodesOf(ctx, ids),
  }),
);
