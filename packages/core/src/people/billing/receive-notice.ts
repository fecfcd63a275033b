import { badRequest, type CommandContext, command, type PaymentNotice } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { disableProject, enableProject } from '../projects/index.ts';
import { noticeInput, noticeOutput } from './billing.schema.ts';
import {
  changeState,
  changeSubscription,
  type LockedState,
  lockNotifiedProject,
  recordNotice,
} from './billing.store.ts';
import { paymentsOf } from './billing-errors.ts';

/**
 * A notification of the payment provider (behaviour B6.4). The record of its id and its effects are one transaction, so that each
 * counts once however often it arrives. Notifications arrive in any order: an older one never replaces what a newer one reported.
 */
export const receiveNotice = command({
  name: 'billing.receive',
  summary: 'Processes a notification of the payment provider',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  errors: ['BAD_REQUEST', 'BILLING_DISABLED'],
  input: noticeInput,
  output: noticeOutput,
  async prepare({ services }, { body, signature }) {
    const notice = await paymentsOf(services).readNotice(body, signature);
    if (notice) return notice;
    throw badRequest('The signature of this notification is not valid', {
      suggestion: 'Check STRIPE_WEBHOOK_SECRET, and the clock of this machine',
    });
  },
  async handler(ctx, _input, notice) {
    if (notice.kind !== 'other' && (await recordNotice(ctx.db, notice.id))) await apply(ctx, notice);
    return { received: true as const };
  },
});

type Effective = Exclude<PaymentNotice, { kind: 'other' }>;

async function apply(ctx: CommandContext, notice: Effective): Promise<void> {
  const { projectId } = notice;
  const named = projectId !== null && isUuid(projectId) ? projectId : null;
  const state = await lockNotifiedProject(ctx.db, { ...notice, projectId: named });
  if (!state) return;
  ctx.audit({ targetType: 'project', targetId: state.projectId, projectId: state.projectId });
  if (notice.kind === 'payment') await applyPayment(ctx, state, notice);
  else await applySubscription(ctx, state, notice);
}

const isOlder = (at: Date, known: Date | null): boolean => known !== null && at < known;

/** A checkout starts a subscription; later notifications report its state. */
async function applySubscription(
  { db }: CommandContext,
  state: LockedState,
  notice: Extract<Effective, { kind: 'checkout' | 'subscription' }>,
): Promise<void> {
  const { projectId } = state;
  const { customer, subscription, currency, at } = notice;
  const hasEnded = subscription !== null && subscription === state.endedSubscription;
  if (hasEnded || isOlder(at, state.subscriptionAt)) {
    if (state.customer === null && customer !== null) await changeSubscription(db, projectId, { customer });
    return;
  }
  // A subscription counts once its first payment has been made.
  if (notice.kind === 'subscription' && notice.status === 'incomplete') return;
  const ends = notice.kind === 'subscription' && notice.ended;
  const isCurrent = state.subscription === null || state.subscription === subscription;
  // What is reported about another subscription than the project's own says nothing about the project's.
  if (notice.kind === 'subscription' && !isCurrent) return;
  if (ends) await changeSubscription(db, projectId, { subscription: null });
  else
    await changeSubscription(db, projectId, {
      ...(customer === null ? {} : { customer }),
      ...(subscription === null ? {} : { subscription }),
    });
  await changeState(db, projectId, {
    subscriptionAt: at,
    ...(currency === null ? {} : { currency }),
    ...(notice.kind === 'subscription' ? { status: notice.status } : {}),
    ...(ends && subscription !== null ? { endedSubscription: subscription } : {}),
  });
}

async function applyPayment(
  ctx: CommandContext,
  state: LockedState,
  { paid, isFirst, at }: Extract<Effective, { kind: 'payment' }>,
): Promise<void> {
  const { projectId } = state;
  // The first invoice fails in the checkout, where it can be paid at once.
  if (isOlder(at, state.paymentAt) || (isFirst && !paid)) return;
  await changeState(ctx.db, projectId, { paymentAt: at });
  if (!paid) await disableProject.within(ctx, { id: projectId, reason: 'PAYMENT_FAILED' });
  else if (state.disabledReason === 'PAYMENT_FAILED') await enableProject.within(ctx, { id: projectId });
}
