import type { Db } from '../../base/db/index.ts';
import type { Role } from '../../base/kernel/index.ts';
import { isOpen } from '../users/index.ts';
import type { Member } from './members.schema.ts';

const user = { user: { select: { email: true, emailVerified: true } } } as const;

/** Active members and invitations, open and declined: the OWNER first, then by address. Expired invitations are omitted. */
export async function findMembers(db: Db, projectId: string): Promise<Member[]> {
  const [members, invitations] = await Promise.all([
    db.member.findMany({ where: { projectId }, include: user }),
    db.invitation.findMany({ where: { projectId, expiresAt: { gt: new Date() } } }),
  ]);
  const all: Member[] = [
    ...members.map((row) => activeMember(row, row.user.email)),
    ...invitations.map(invitedMember),
  ];
  const rank = ({ role }: Member) => (role === 'OWNER' ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b) || (a.email < b.email ? -1 : 1));
}

export const findMember = (db: Db, projectId: string, userId: string) =>
  db.member.findUnique({ where: { projectId_userId: { projectId, userId } }, include: user });

export const findInvitationById = (db: Db, projectId: string, id: string) =>
  db.invitation.findFirst({ where: { id, projectId, ...isOpen() } });

/** Serializes changes to the members of a project until the transaction ends. */
export async function lockMembers(db: Db, projectId: string): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`members:${projectId}`}, 0))::text`;
}

/** What an address is to a project: a member, invited, or one that declined within 30 days. */
export async function findStanding(
  db: Db,
  projectId: string,
  email: string,
): Promise<'none' | 'member' | 'invited' | 'declined'> {
  const [members, invitation] = await Promise.all([
    db.member.count({ where: { projectId, user: { email } } }),
    db.invitation.findFirst({
      where: { projectId, email, expiresAt: { gt: new Date() } },
      select: { declinedAt: true },
    }),
  ]);
  if (members > 0) return 'member';
  if (!invitation) return 'none';
  return invitation.declinedAt ? 'declined' : 'invited';
}

export async function insertInvitation(
  db: Db,
  invitation: {
    id: string;
    projectId: string;
    email: string;
    role: Role;
    tokenHash: Uint8Array<ArrayBuffer>;
    invitedById: string;
    expiresAt: Date;
  },
) {
  const { projectId, email } = invitation;
  // An expired invitation is not listed, but its row may still be there.
  await db.invitation.deleteMany({ where: { projectId, email } });
  return db.invitation.create({ data: invitation });
}

export const changeMemberRole = (db: Db, projectId: string, userId: string, role: Role) =>
  db.member.update({ where: { projectId_userId: { projectId, userId } }, data: { role }, include: user });

export const changeInvitationRole = (db: Db, id: string, role: Role) =>
  db.invitation.update({ where: { id }, data: { role } });

export async function deleteMember(db: Db, projectId: string, userId: string): Promise<void> {
  await db.member.delete({ where: { projectId_userId: { projectId, userId } } });
}

export async function deleteInvitation(db: Db, id: string): Promise<void> {
  await db.invitation.delete({ where: { id } });
}

/** An invitation that can still be accepted, with the project's name and whether the address has an account. */
export async function findInvitationByToken(db: Db, tokenHash: Uint8Array<ArrayBuffer>) {
  const row = await db.invitation.findFirst({
    where: { tokenHash, ...isOpen() },
    include: { project: { select: { name: true, disabled: true } } },
  });
  if (!row) return null;
  const accounts = await db.user.count({ where: { email: row.email } });
  const { email, role, project } = row;
  return { email, role, projectName: project.name, hasAccount: accounts > 0, isDisabled: project.disabled };
}

/** The open invitations of an address, oldest first; not those of projects that nobody can join now. */
export async function findInvitationsTo(db: Db, email: string) {
  const { project, ...open } = isOpen();
  const rows = await db.invitation.findMany({
    where: { email, ...open, project: { ...project, disabled: false } },
    include: { project: { select: { name: true } } },
    orderBy: { id: 'asc' },
    take: 100,
  });
  const inviters = await db.user.findMany({
    where: { id: { in: rows.flatMap(({ invitedById }) => invitedById ?? []) } },
    select: { id: true, email: true },
  });
  const addresses = new Map(inviters.map((user) => [user.id, user.email]));
  return rows.map(({ id, role, expiresAt, invitedById, project: { name } }) => ({
    id,
    projectName: name,
    role,
    invitedBy: addresses.get(invitedById ?? '') ?? null,
    expiresAt,
  }));
}

/** Marks an open invitation as declined, until `expiresAt`. @returns its project; null without such an invitation */
export async function markDeclined(
  db: Db,
  { id, email, now, expiresAt }: { id: string; email: string; now: Date; expiresAt: Date },
): Promise<string | null> {
  const rows = await db.invitation.updateManyAndReturn({
    where: { id, email, ...isOpen() },
    data: { declinedAt: now, expiresAt },
    select: { projectId: true },
  });
  return rows[0]?.projectId ?? null;
}

export const findProjectTexts = (db: Db, projectId: string): Promise<{ name: string; language: string }> =>
  db.project.findUniqueOrThrow({ where: { id: projectId }, select: { name: true, language: true } });

interface MemberRow {
  userId: string;
  role: Role;
  createdAt: Date;
}

export const activeMember = ({ userId, role, createdAt }: MemberRow, email: string): Member => ({
  userId,
  invitationId: null,
  email,
  role,
  status: 'ACTIVE',
  createdAt,
});

interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  declinedAt: Date | null;
  createdAt: Date;
}

export const invitedMember = ({ id, email, role, declinedAt, createdAt }: InvitationRow): Member => ({
  userId: null,
  invitationId: id,
  email,
  role,
  status: declinedAt ? 'DECLINED' : 'PENDING',
  createdAt,
});
