import { type Db, Prisma } from '../../base/db/index.ts';
import type { Caps } from './billing.rules.ts';

export interface BilledProject {
  id: string;
  customer: string | null;
  subscription: string | null;
  currency: string | null;
  caps: Caps;
}

export async function findBilledProject(db: Db, projectId: string): Promise<BilledProject | null> {
  const [project, state] = await Promise.all([
    db.project.findFirst({ where: { id: projectId, deletedAt: null } }),
    db.billingState.findUnique({ where: { projectId } }),
  ]);
  if (!project) return null;
  const { id, customer, subscription } = project;
  return {
    id,
    customer,
    subscription,
    currency: state?.currency ?? null,
    caps: {
      workflows: project.billingLimitWorkflows,
      campaigns: project.billingLimitCampaigns,
      transactional: project.billingLimitTransactional,
    },
  };
}

export type CapChange = { [Category in keyof Caps]?: number | null | undefined };

/** Changes the given caps; the others stay. */
export async function changeCaps(db: Db, projectId: string, change: CapChange): Promise<void> {
  await db.project.update({
    where: { id: projectId },
    data: {
      billingLimitWorkflows: change.workflows,
      billingLimitCampaigns: change.campaigns,
      billingLimitTransactional: change.transactional,
    },
  });
}

export const findUserAddress = async (db: Db, userId: string): Promise<string | null> =>
  (await db.user.findUnique({ where: { id: userId }, select: { email: true } }))?.email ?? null;

/** Records a notification. @returns false when it was recorded before */
export async function recordNotice(db: Db, id: string): Promise<boolean> {
  const { count } = await db.paymentNotice.createMany({ data: [{ id }], skipDuplicates: true });
  return count === 1;
}

/** What a notification is compared with. */
export interface LockedState {
  projectId: string;
  customer: string | null;
  subscription: string | null;
  disabledReason: string | null;
  subscriptionAt: Date | null;
  endedSubscription: string | null;
  paymentAt: Date | null;
}

/**
 * The project that a notification is about, locked: the one that it names, else the one with its subscription, else the one with
 * its customer.
 */
export async function lockNotifiedProject(
  db: Db,
  subject: { projectId: string | null; subscription: string | null; customer: string | null },
): Promise<LockedState | null> {
  const { projectId, subscription, customer } = subject;
  const rows = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT p."id" FROM "Project" p
    WHERE p."kind" = 'CUSTOMER' AND p."deletedAt" IS NULL
      AND (p."id" = ${projectId}::uuid OR p."subscription" = ${subscription} OR p."customer" = ${customer})
    ORDER BY p."id" IS NOT DISTINCT FROM ${projectId}::uuid DESC, p."subscription" IS NOT DISTINCT FROM ${subscription}::text DESC, p."id" LIMIT 1 FOR UPDATE`);
  const id = rows[0]?.id;
  if (id === undefined) return null;
  await db.billingState.createMany({ data: [{ projectId: id }], skipDuplicates: true });
  const [project, state] = await Promise.all([
    db.project.findUniqueOrThrow({ where: { id } }),
    db.billingState.findUniqueOrThrow({ where: { projectId: id } }),
  ]);
  const { customer: known, subscription: current, disabledReason } = project;
  return { ...state, customer: known, subscription: current, disabledReason };
}

export interface StateChange {
  currency?: string;
  status?: string;
  subscriptionAt?: Date;
  endedSubscription?: string;
  paymentAt?: Date;
}

export async function changeState(db: Db, projectId: string, change: StateChange): Promise<void> {
  await db.billingState.update({ where: { projectId }, data: change });
}

export async function changeSubscription(
  db: Db,
  projectId: string,
  change: { customer?: string; subscription?: string | null },
): Promise<void> {
  await db.project.update({ where: { id: projectId }, data: change });
}
