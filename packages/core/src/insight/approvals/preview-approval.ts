import {
  campaignNotFound,
  estimateToSend,
  findCampaign,
  lookAtAudience,
  stateOf,
} from '../../automation/campaigns/index.ts';
import {
  AppError,
  type Context,
  operationRegistry,
  projectIdOf,
  projectOf,
  query,
} from '../../base/kernel/index.ts';
import { previewContent } from '../../mail/sending/index.ts';
import { agentContext } from './agent-context.ts';
import { namedRecipients } from './approvals.rules.ts';
import { approvalIdInput, approvalPreview } from './approvals.schema.ts';
import type { ApprovalRow, WrittenMail } from './approvals.store.ts';
import { changedError } from './changed-error.ts';
import { requireApproval } from './list-approvals.ts';
import { observe } from './observe.ts';

export const previewApproval = query({
  name: 'approvals.preview',
  summary: 'Previews an approval: what it would do now, by a dry run',
  permission: 'approvals:decide',
  errors: ['RESOURCE_NOT_FOUND'],
  input: approvalIdInput,
  output: approvalPreview,
  async handler(ctx, { id }) {
    const row = await requireApproval(ctx, id);
    if (row.input === null) return previewCampaign(ctx, row);
    // What a dry run cannot show is told by its input alone.
    if (!operationRegistry.get(row.operation)?.hasDryRun) return nothing;
    try {
      const agent = await agentContext(ctx.services, row, projectOf(ctx), ctx.request);
      const { reply, effects, mail } = await observe(agent, row.operation, row.input, { withMail: true });
      const { total, recipients, workflows } = effects;
      return {
        refusal: null,
        reply: objectOf(reply),
        total,
        recipients,
        email: mail && (await rendered(ctx, mail)),
        workflows,
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return refusedBy(error);
    }
  },
});

const nothing = { refusal: null, reply: null, total: 0, recipients: [], email: null, workflows: [] };

/** What would be sent of a campaign, and to whom. The dry run of its send would only say that it is not approved. */
async function previewCampaign(ctx: Context, row: ApprovalRow) {
  const projectId = projectIdOf(ctx);
  const campaign = row.campaignId && (await findCampaign(ctx.db, projectId, row.campaignId));
  if (!campaign) return refusedBy(campaignNotFound());
  if ((await stateOf(ctx.db, projectId, campaign)).hash !== row.hash)
    return refusedBy(changedError('The campaign has changed since this was asked for'));
  try {
    const total = await estimateToSend(ctx, campaign);
    const first = await lookAtAudience(ctx, campaign, namedRecipients);
    const recipients = first.map((to) => ({ to, reason: null }));
    return { ...nothing, total, recipients, email: await rendered(ctx, campaign) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedBy(error);
  }
}

const refusedBy = ({ code, message }: AppError) => ({ ...nothing, refusal: { code, message } });

export const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value !== 'object' || value === null
    ? null
    : Array.isArray(value)
      ? { data: value }
      : (value as Record<string, unknown>);

/** As its first recipient would get it; of a campaign, as somebody without data. */
async function rendered(ctx: Context, { from, subject, body, type, vars }: WrittenMail) {
  const preview = await previewContent.run(ctx, { subject, body, type, data: vars ?? {} });
  return { from, subject: preview.subject, html: preview.html };
}
