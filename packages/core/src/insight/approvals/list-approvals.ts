import { AppError, type Context, cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { approval, approvalIdInput, approvalList, listApprovalsInput } from './approvals.schema.ts';
import {
  type ApprovalRow,
  countApprovals,
  findApproval,
  findApprovals,
  presentApproval,
} from './approvals.store.ts';

/** A key sees what it asked for; people see all. */
const keyOf = ({ actor }: Context): string | null | undefined =>
  actor.type === 'key' ? (actor.named?.id ?? null) : undefined;

export const listApprovals = query({
  name: 'approvals.list',
  summary: 'Lists what agents asked for, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listApprovalsInput,
  output: approvalList,
  async handler(ctx, input) {
    const cursors = cursorsOf('approvals.list', input);
    const after = cursors.after();
    const search = { projectId: projectIdOf(ctx), keyId: keyOf(ctx), status: input.status };
    const [rows, total] = await Promise.all([
      findApprovals(ctx.db, search, after, input.limit + 1),
      after ? 0 : countApprovals(ctx.db, search),
    ]);
    return cursors.page(rows.map(presentApproval), ({ createdAt }) => createdAt, total);
  },
});

export const getApproval = query({
  name: 'approvals.get',
  summary: 'Returns one approval',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: approvalIdInput,
  output: approval,
  handler: async (ctx, { id }) => presentApproval(await requireApproval(ctx, id)),
});

/** @throws AppError RESOURCE_NOT_FOUND */
export async function requireApproval(ctx: Context, id: string): Promise<ApprovalRow> {
  const row = await findApproval(ctx.db, { projectId: projectIdOf(ctx), keyId: keyOf(ctx) }, id);
  if (!row) throw approvalNotFound();
  return row;
}

export const approvalNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Approval not found');
