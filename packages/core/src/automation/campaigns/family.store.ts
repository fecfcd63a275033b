import type { Db } from '../../base/db/index.ts';
import type { Referrer } from '../../base/references/index.ts';
import { withExpiredEmails } from '../../mail/ledger/index.ts';
import type { CampaignRow } from './campaigns.store.ts';

/** A campaign with its place in a family (behaviour B13.3). */
export type FamilyMember = Pick<CampaignRow, 'id' | 'projectId' | 'familyId' | 'round'>;

/** The id of the first campaign of a family, also once that was deleted. */
export const familyOf = ({ id, familyId }: Pick<FamilyMember, 'id' | 'familyId'>): string => familyId ?? id;

const inFamily = (projectId: string, family: string) => ({
  projectId,
  OR: [{ id: family }, { familyId: family }],
});

const besides = (member: FamilyMember) => ({
  ...inFamily(member.projectId, familyOf(member)),
  id: { not: member.id },
});

/** The other campaigns of its family that have emails in its round. A contact gets at most one of them. */
export async function othersOfRound(db: Db, member: FamilyMember): Promise<string[]> {
  const rows = await db.campaign.findMany({
    where: { ...besides(member), round: member.round, frozenAt: { not: null } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}

/** Whether emails of other campaigns of its family and round were removed for their age: nobody knows any more who has got one. */
export const isRoundExpired = async (db: Db, member: FamilyMember): Promise<boolean> =>
  (await withExpiredEmails(db, await othersOfRound(db, member))).size > 0;

/** The other campaigns of its family and round that may still be sent. */
export const openOfRound = (db: Db, member: FamilyMember): Promise<Referrer[]> =>
  db.campaign.findMany({
    where: {
      ...besides(member),
      round: member.round,
      status: { in: ['DRAFT', 'SCHEDULED', 'SENDING'] },
    },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });

/** Campaigns of the family that exist. Locks it until the transaction ends, so that it does not become larger in between. */
export async function countFamily(db: Db, projectId: string, family: string): Promise<number> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`family/${family}`}, 0))`;
  return db.campaign.count({ where: inFamily(projectId, family) });
}

/** Whether its family has no other campaign. */
export const isAlone = async (db: Db, member: FamilyMember): Promise<boolean> =>
  (await db.campaign.findFirst({ where: besides(member), select: { id: true } })) === null;
