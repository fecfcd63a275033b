import type { Db } from '../../db/index.ts';

export interface WaitingPlatformEmail {
  id: string;
  projectId: string;
  to: string;
  contentId: string;
  priority: number;
}

/** One email without a contact, and its delivery. */
export async function insertWaitingEmail(db: Db, mail: WaitingPlatformEmail): Promise<void> {
  const { id, projectId, to, contentId, priority } = mail;
  await db.email.create({
    data: { id, projectId, to, contentId, type: 'TRANSACTIONAL', sourceType: 'SYSTEM' },
  });
  await db.delivery.create({ data: { emailId: id, projectId, priority } });
}
