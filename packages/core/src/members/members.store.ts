import type { Db } from '../db/index.ts';
import type { Addressee, Role } from '../kernel/index.ts';
import type { Member } from './members.schema.ts';

const user = { user: { select: { email: true, emailVerified: true } } } as const;

/** Active members and open invitations: the OWNER first, then by address. Expired invitations are omitted. */
export async function findMembers(db: Db, projectId: string): Promise<Member[]> {
  const [members, invitations] = await Promise.all([
    db.member.findMany({ where: { projectId }, include: user }),
    db.invitation.findMany({ where: { projectId, expiresAt: { gt: new Date() } } }),
  ]);
  const all: Member[] = [
    ...members.map((row) => activeMember(row, row.user.email)),
    ...invitations.map(pendingMember),
  ];
  const rank = ({ role }: Member) => (role === 'OWNER' ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b) || (a.email < b.email ? -1 : 1));
}

export const findMember = (db: Db, projectId: string, userId: string) =>
  db.member.findUnique({ where: { projectId_userId: { projectId, userId } }, include: user });

export const findInvitationById = (db: Db, projectId: string, id: string) =>
  db.invitation.findFirst({ where: { id, projectId, expiresAt: { gt: new Date() } } });

/** Serializes changes to the members of a project until the transaction ends. */
export async function lockMembers(db: Db, projectId: string): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`members:${projectId}`}, 0))::text`;
}

/** Whether the address is a member or has an open invitation. */
export async function isMemberOrInvited(db: Db, projectId: string, email: string): Promise<boolean> {
  const [members, invitations] = await Promise.all([
    db.member.count({ where: { projectId, user: { email } } }),
    db.invitation.count({ where: { projectId, email, expiresAt: { gt: new Date() } } }),
  ]);
  return members + invitations > 0;
}

/** The account of an address, if its owner has proven the address. */
export const findProvenAccount = (db: Db, email: string): Promise<({ id: string } & Addressee) | null> =>
  db.user.findFirst({
    where: { email, emailVerified: true },
    select: { id: true, email: true, language: true },
  });

export async function insertMember(db: Db, projectId: string, userId: string, role: Role) {
  return db.member.create({ data: { projectId, userId, role } });
}

export async function insertInvitation(
  db: Db,
  invitation: {
    id: string;
    projectId: string;
    email: string;
    role: Role;
    tokenHash: Uint8Array<ArrayBuffer>;
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
    where: { tokenHash, expiresAt: { gt: new Date() }, project: { deletedAt: null } },
    include: { project: { select: { name: true } } },
  });
  if (!row) return null;
  const accounts = await db.user.count({ where: { email: row.email } });
  return { email: row.email, role: row.role, projectName: row.project.name, hasAccount: accounts > 0 };
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
  createdAt: Date;
}

export const pendingMember = ({ id, email, role, createdAt }: InvitationRow): Member => ({
  userId: null,
  invitationId: id,
  email,
  role,
  status: 'PENDING',
  createdAt,
});
