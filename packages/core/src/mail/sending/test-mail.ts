import type { Db } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { insertTestEmail, type NewContent, storeContent } from '../ledger/index.ts';
import { priorities } from '../ledger/ledger.rules.ts';

export interface TestMail {
  content: Omit<NewContent, 'sourceType' | 'headers' | 'attachments'>;
  to: string;
  contactId: string | null;
  /** null for the sandbox sender */
  domainId: string | null;
}

/**
 * Writes a test email to the ledger, in the caller's transaction: it is sent only if that commits. Call
 * `notifyOutbox` afterwards.
 *
 * @returns the email's id
 */
export async function writeTestMail(db: Db, { content, to, contactId, domainId }: TestMail): Promise<string> {
  const contentId = await storeContent(db, {
    ...content,
    subject: `[TEST] ${content.subject}`,
    sourceType: 'TEST',
    headers: {},
    attachments: [],
  });
  const id = newId();
  await insertTestEmail(db, {
    id,
    projectId: content.projectId,
    contactId,
    to,
    type: content.type,
    contentId,
    domainId,
    priority: priorities.TEST,
  });
  return id;
}
