import { AppError, operationRegistry, projectOf, query } from '../../base/kernel/index.ts';
import { agentContext } from './agent-context.ts';
import { approvalIdInput, approvalPreview } from './approvals.schema.ts';
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
    const refused = { refusal: null, reply: null, total: 0, recipients: [], email: null, workflows: [] };
    if (row.input === null) return refused;
    // What a dry run cannot show is told by its input alone.
    if (!operationRegistry.get(row.operation)?.hasDryRun) return refused;
    try {
      const agent = await agentContext(ctx.services, row, projectOf(ctx), ctx.request);
      const { reply, effects, mail } = await observe(agent, row.operation, row.input, { withMail: true });
      const { total, recipients, workflows } = effects;
      return { refusal: null, reply: objectOf(reply), total, recipients, email: mail, workflows };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ...refused, refusal: { code: error.code, message: error.message } };
    }
  },
});

export const objectOf = (value: unknown): Record<string, unknown> | null =>
  typeof value !== 'object' || value === null
    ? null
    : Array.isArray(value)
      ? { data: value }
      : (value as Record<string, unknown>);
