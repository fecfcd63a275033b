// What may be carried out has to be known, also where no door has loaded it.
import '../../audience/events/index.ts';
import '../../mail/sending/index.ts';
import { findReuse } from '../../base/idempotency/index.ts';
import { AppError, operationRegistry, type Services, systemContext } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { agentContext } from './agent-context.ts';
import {
  type ApprovalRow,
  findApproval,
  findInterrupted,
  findProjectState,
  recordsOf,
  removeOldApprovals,
  settle,
} from './approvals.store.ts';
import { changedError, failureOf } from './changed-error.ts';
import { objectOf } from './preview-approval.ts';

/** Callers give printable ASCII, so that none can have the key of an approval. */
const keyOf = (id: string): string => `approval‑${id}`;

/** Until when a call may begin, of the lifetime of its key: what remains is more than a call takes. */
const shareOfKey = 0.5;

/**
 * Carries out what is stored by a statement of its own: its idempotency key is the approval, so that it happens once, however often a
 * process ends between the statement and this state. A call that began before its key could have expired is never begun again after that: it is
 * done if the key is there, and otherwise nobody knows.
 */
export async function runDirect(services: Services, projectId: string, id: string): Promise<void> {
  const { prisma } = services.database;
  const row = await findApproval(prisma, { projectId, keyId: undefined }, id);
  const project = await findProjectState(prisma, projectId);
  const operation = row && operationRegistry.get(row.operation);
  if (!row || !operation || !project || row.status !== 'RUNNING' || row.input === null) return;
  const used = await findReuse(systemContext(services, { project }), projectId, keyOf(id));
  if (used) {
    await settle(prisma, id, { status: 'DONE', result: objectOf(used.details) });
    return;
  }
  if (isLate(row, services.config)) {
    await settle(prisma, id, { status: 'FAILED', error: unknownOutcome });
    return;
  }
  try {
    if ((await recordsOf(prisma, projectId, row.input)) !== row.records)
      throw changedError('What it names has changed since it was asked for');
    const ctx = await agentContext(services, row, project, { id: newId(), ip: null });
    const request = { ...ctx.request, idempotencyKey: keyOf(id), label: `approval of ${row.operation}` };
    const reply = await operation.run({ ...ctx, request }, row.input);
    await settle(prisma, id, { status: 'DONE', result: objectOf(reply) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'IDEMPOTENCY_KEY_REUSED')
      await settle(prisma, id, { status: 'DONE', result: objectOf(error.details) });
    else await settle(prisma, id, { status: 'FAILED', error: failureOf(error) });
  }
}

/** Whether its key could be used up and gone again. */
const isLate = (
  { decidedAt }: Pick<ApprovalRow, 'decidedAt'>,
  { IDEMPOTENCY_TTL_HOURS: hours }: Pick<Services['config'], 'IDEMPOTENCY_TTL_HOURS'>,
): boolean => Date.now() >= (decidedAt?.getTime() ?? 0) + shareOfKey * hours * 3_600_000;

const unknownOutcome = {
  code: 'unknown_outcome',
  message:
    'It was left unfinished for too long: whether it was carried out is not known. Look before asking again',
};

/** Longer than a call takes. */
const interruptedSeconds = 60;

/** Ends what a process left RUNNING. @returns how many */
export async function endInterruptedApprovals(services: Services): Promise<number> {
  const rows = await findInterrupted(services.database.prisma, interruptedSeconds, 100);
  for (const { id, projectId } of rows) await runDirect(services, projectId, id);
  return rows.length;
}

const keptMs = 90 * 86_400_000;

export const sweepApprovals = ({ database }: Services, now: Date, limit: number): Promise<number> =>
  removeOldApprovals(database.prisma, new Date(now.getTime() - keptMs), limit);
