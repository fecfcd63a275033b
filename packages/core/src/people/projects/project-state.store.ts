import type { Db, DisabledReason } from '../../base/db/index.ts';
import { reportEvent } from '../../base/event-types/index.ts';
import type { Addressee } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';

export interface StateOfProject {
  id: string;
  name: string;
  disabled: boolean;
  disabledReason: DisabledReason | null;
}

/** Locks a project for a change of its state. @returns null when it does not exist */
export async function lockProjectState(db: Db, projectId: string): Promise<StateOfProject | null> {
  const rows = await db.$queryRaw<StateOfProject[]>`
    SELECT "id", "name", "disabled", "disabledReason"::text AS "disabledReason" FROM "Project"
    WHERE "id" = ${projectId}::uuid AND "deletedAt" IS NULL AND "kind" = 'CUSTOMER' FOR UPDATE`;
  return rows[0] ?? null;
}

export async function markDisabled(
  db: Db,
  { id: projectId, name }: StateOfProject,
  reason: DisabledReason,
): Promise<void> {
  await db.project.update({ where: { id: projectId }, data: { disabled: true, disabledReason: reason } });
  await reportEvent(db, 'project.disabled', projectId, { projectId, projectName: name, reason });
  await db.suspension.create({ data: { id: newId(), projectId, reason } });
}

export async function markEnabled(db: Db, projectId: string): Promise<void> {
  await db.project.update({ where: { id: projectId }, data: { disabled: false, disabledReason: null } });
  await db.suspension.updateMany({ where: { projectId, liftedAt: null }, data: { liftedAt: new Date() } });
}

/** Every member, as the addressee of an email. */
export async function findMemberAddressees(db: Db, projectId: string): Promise<Addressee[]> {
  const members = await db.member.findMany({
    where: { projectId },
    select: { user: { select: { email: true, language: true } } },
    orderBy: { userId: 'asc' },
  });
  return members.map(({ user }) => user);
}

/** Campaigns that end with the disabling of their project. */
export async function findRunningCampaigns(db: Db, projectId: string): Promise<string[]> {
  const rows = await db.campaign.findMany({
    where: { projectId, status: { in: ['SCHEDULED', 'SENDING'] } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
