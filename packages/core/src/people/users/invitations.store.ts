import type { Db } from '../../base/db/index.ts';

export interface OpenInvitation {
  id: string;
  projectId: string;
  email: string;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** its project, which cannot be joined while it is disabled */
  project: { disabled: boolean };
}

/** Invitations that can be accepted: neither declined nor expired, of projects that are not deleted. */
export const isOpen = () => ({
  declinedAt: null,
  expiresAt: { gt: new Date() },
  project: { deletedAt: null },
});

/** The open invitation with this token, or with this id to an address. */
export const findInvitation = (
  db: Db,
  where: { tokenHash: Uint8Array<ArrayBuffer> } | { id: string; email: string },
): Promise<OpenInvitation | null> =>
  db.invitation.findFirst({
    where: { ...where, ...isOpen() },
    select: { id: true, projectId: true, email: true, role: true, project: { select: { disabled: true } } },
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
