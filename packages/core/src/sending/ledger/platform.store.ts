import type { Db } from '../../db/index.ts';
import { newId } from '../../kernel/ids.ts';

export interface WaitingPlatformEmail {
  id: string;
  projectId: string;
  to: string;
  contentId: string;
  priority: number;
}

/** One email without a contact, and its delivery batch. */
export async function insertWaitingEmail(db: Db, mail: WaitingPlatformEmail): Promise<void> {
  const { id, projectId, to, contentId, priority } = mail;
  const batchId = newId();
  await db.deliveryBatch.create({ data: { id: batchId, projectId, priority, emailIds: [id] } });
  await db.email.create({
    data: { id, projectId, to, contentId, type: 'TRANSACTIONAL', sourceType: 'SYSTEM', batchId },
  });
}
