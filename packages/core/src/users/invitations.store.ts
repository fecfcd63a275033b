import type { Db } from '../db/index.ts';

export interface OpenInvitation {
  id: string;
  projectId: string;
  email: string;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}

/** An invitation that can still be accepted: not expired, its project not deleted. */
export const findInvitation = (db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<OpenInvitation | null> =>
  db.invitation.findFirst({
    where: { tokenHash, expiresAt: { gt: new Date() }, project: { deletedAt: null } },
    select: { id: true, projectId: true, email: true, role: true },
  });

/** Joins the project and consumes the invitation. @returns false when it has been used in the meantime */
export async function acceptInvitation(db: Db, invitation: OpenInvitation, userId: string): Promise<boolean> {
  const { count } = await db.invitation.deleteMany({ where: { id: invitation.id } });
  if (count === 0) return false;
  const { projectId, role } = invitation;
  await db.member.createMany({ data: [{ projectId, userId, role }], skipDuplicates: true });
  await db.user.update({ where: { id: userId }, data: { emailVerified: true } });
  return true;
}
