import { newId, type Services } from '../../kernel/index.ts';
import type { PlatformMailer } from '../../kernel/ports/platform-mailer.ts';
import { ensureSystemProject, systemProjectId } from '../../projects/index.ts';
import { storeContent } from '../ledger/content.store.ts';
import { insertWaitingEmail } from '../ledger/platform.store.ts';
import { notifyOutbox } from '../notify-outbox.ts';
import { priorities } from '../sending.rules.ts';
import { readPlatformFrom } from './platform-from.ts';
import { renderMail } from './render-mail.ts';

/** Platform emails are written under the hidden system project. */
export const createPlatformMailer = (services: Omit<Services, 'platformMail'>): PlatformMailer => ({
  async write(db, mail) {
    await ensureSystemProject(db);
    const from = readPlatformFrom(services.config.PLATFORM_FROM);
    const { subject, html } = renderMail(mail);
    const contentId = await storeContent(db, {
      projectId: systemProjectId,
      type: 'TRANSACTIONAL',
      sourceType: 'SYSTEM',
      // Platform text is literal: template delimiters in a project name must not be rendered.
      subject: asLiteral(subject),
      body: asLiteral(html),
      preheader: null,
      from: from.email,
      fromName: from.name,
      replyTo: null,
      headers: {},
      projectName: from.name ?? 'Postrider',
      language: mail.to.language,
      attachments: [],
    });
    await insertWaitingEmail(db, {
      id: newId(),
      projectId: systemProjectId,
      to: mail.to.email,
      contentId,
      priority: priorities.SYSTEM,
    });
  },
  notify: () => notifyOutbox(services, systemProjectId),
});

const asLiteral = (text: string): string =>
  /\{[{%]/.test(text) ? `{% raw %}${text.replaceAll('{% endraw %}', '')}{% endraw %}` : text;
