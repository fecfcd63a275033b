import type { Db, EmailClass } from '../../base/db/index.ts';
import { newId } from '../../base/lib/ids.ts';

export interface WaitingTestEmail {
  id: string;
  projectId: string;
  /** null when the address has no contact; its links then have no effect */
  contactId: string | null;
  to: string;
  type: EmailClass;
  contentId: string;
  /** null for the sandbox sender */
  domainId: string | null;
  priority: number;
}

/** A test email and its delivery batch: untracked and outside of campaigns. */
export async function insertTestEmail(db: Db, mail: WaitingTestEmail): Promise<void> {
  const { id, projectId, contactId, to, type, contentId, domainId, priority } = mail;
  const batchId = newId();
  await db.deliveryBatch.create({ data: { id: batchId, projectId, priority, domainId, emailIds: [id] } });
  await db.email.create({
    data: { id, projectId, contactId, to, type, contentId, sourceType: 'TEST', tracked: false, batchId },
  });
}
