import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import type { Turn } from './domains.rules.ts';

type Occasion = Turn | 'added elsewhere';

const mails = {
  verified: 'domainVerified',
  'added elsewhere': 'domainAddedElsewhere',
  lost: 'domainLost',
} as const satisfies Record<Occasion, PlatformMail['mail']>;

/** The email to an owner or admin of a project that a domain was verified, lost, or added to another project. */
export const domainNotice = (
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  { domain, projectId }: { domain: string; projectId: string },
  occasion: Occasion,
  to: Addressee,
): PlatformMail => ({
  to,
  mail: mails[occasion],
  values: { domain },
  url: projectPage(config, projectId, 'domains'),
});
