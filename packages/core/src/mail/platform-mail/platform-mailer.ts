import type { Services } from '../../base/kernel/index.ts';
import type { PlatformMailer } from '../../base/kernel/ports/platform-mailer.ts';
import { newId } from '../../base/lib/index.ts';
import { ensureSystemProject, systemProjectId } from '../../people/projects/index.ts';
import { insertWaitingEmail, notifyOutbox, removeEmailsTo } from '../ledger/index.ts';
import { priorities } from '../ledger/ledger.rules.ts';
import { mayMail } from './may-mail.ts';
import { readPlatformFrom } from './platform-from.ts';
import { renderMail } from './render-mail.ts';

/** Platform emails are written under the hidden system project, as final texts and sealed (decision 039). */
export const createPlatformMailer = (services: Omit<Services, 'platformMail'>): PlatformMailer => ({
  async write(db, mail) {
    if (!(await mayMail(services, db, mail))) return;
    await ensureSystemProject(db);
    const from = readPlatformFrom(services.config.PLATFORM_FROM);
    const { subject, html } = renderMail(mail);
    const id = newId();
    await insertWaitingEmail(db, {
      projectId: systemProjectId,
      to: mail.to.email,
      priority: priorities.SYSTEM,
      content: {
        id,
        subject,
        sealedBody: services.secrets.encrypt(html, 'Content.sealedBody', id),
        from: from.email,
        fromName: from.name,
        projectName: from.name ?? 'Postrider',
        language: mail.to.language,
      },
    });
  },
  notify: () => notifyOutbox(services, systemProjectId),
  async forget(db, email) {
    await removeEmailsTo(db, systemProjectId, email);
  },
});
