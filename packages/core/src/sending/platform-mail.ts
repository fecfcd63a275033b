import type { Db } from '../db/index.ts';
import { newId, type Services } from '../kernel/index.ts';
import { ensureSystemProject, systemProjectId } from '../projects/index.ts';
import { storeContent } from './ledger/content.store.ts';
import { insertWaitingEmail } from './ledger/platform.store.ts';
import { wakeOutbox } from './outbox-wake.ts';
import { priorities } from './sending.rules.ts';

/** Mail of the platform itself: verification, reset, invitation, notices. */
export interface PlatformMail {
  to: string;
  /** plain text, no template */
  subject: string;
  /** HTML whose values are escaped already */
  html: string;
}

/** `Name <address>` or a bare address, as PLATFORM_FROM gives it. */
export function readPlatformFrom(text: string): { email: string; name: string | null } {
  const match = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(text);
  return match ? { email: match[2] ?? text, name: match[1] || null } : { email: text.trim(), name: null };
}

/**
 * Writes a mail of the platform into the ledger, under the hidden system project and in the caller's transaction: it
 * goes out exactly when what it tells of is committed. Call `wakePlatformMail` afterwards.
 */
export async function writePlatformMail(services: Services, db: Db, mail: PlatformMail): Promise<void> {
  await ensureSystemProject(services);
  const from = readPlatformFrom(services.config.PLATFORM_FROM);
  const contentId = await storeContent(db, {
    projectId: systemProjectId,
    type: 'TRANSACTIONAL',
    sourceType: 'SYSTEM',
    // The text is ours and says what it says: braces of a name in it are no template.
    subject: asLiteral(mail.subject),
    body: asLiteral(mail.html),
    from: from.email,
    fromName: from.name,
    replyTo: null,
    headers: {},
    projectName: from.name ?? 'Postrider',
    language: 'en',
    attachments: [],
  });
  await insertWaitingEmail(db, {
    id: newId(),
    projectId: systemProjectId,
    to: mail.to,
    contentId,
    priority: priorities.SYSTEM,
  });
}

export const wakePlatformMail = (services: Services): void => wakeOutbox(services, systemProjectId);

const asLiteral = (text: string): string =>
  /\{[{%]/.test(text) ? `{% raw %}${text.replaceAll('{% endraw %}', '')}{% endraw %}` : text;
