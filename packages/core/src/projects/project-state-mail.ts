import type { DisabledReason } from '../db/index.ts';
import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';
import { projectPage } from '../kernel/project-page.ts';

const explanations: Record<DisabledReason, string> = {
  PAYMENT_FAILED: 'A payment failed. Pay the open invoice, and the project is enabled again.',
  EMAIL_REPUTATION:
    'Too many of its emails bounced or were marked as spam. Remove outdated addresses, and make sure that every recipient has agreed to receive your email.',
  PHISHING_DETECTED: 'Its emails were reported as phishing.',
  MANUAL: 'An administrator of this installation disabled it.',
};

type Named = { to: string; projectId: string; projectName: string };
type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email to a member whose project was disabled. */
export const disabledMail = (
  config: Urls,
  { to, projectId, projectName }: Named,
  reason: DisabledReason,
): PlatformMail => ({
  to,
  subject: `${projectName} is disabled`,
  paragraphs: [
    `The project ${projectName} sends no more email. Scheduled campaigns and running workflows have ended.`,
    explanations[reason],
  ],
  action: { label: 'Open the project', url: projectPage(config, projectId) },
});

/** The email to a member whose project was enabled again. */
export const enabledMail = (config: Urls, { to, projectId, projectName }: Named): PlatformMail => ({
  to,
  subject: `${projectName} is enabled again`,
  paragraphs: [
    `The project ${projectName} can send email again. Campaigns and workflows that were ended stay ended.`,
  ],
  action: { label: 'Open the project', url: projectPage(config, projectId) },
});
