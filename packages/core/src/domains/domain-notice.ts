import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';
import { projectPage } from '../kernel/project-page.ts';
import type { Turn } from './domains.rules.ts';

type Occasion = Turn | 'added elsewhere';

const texts: Record<Occasion, { subject: (domain: string) => string; body: string }> = {
  verified: {
    subject: (domain) => `${domain} is verified`,
    body: 'Its DNS records were found. You can now send email from addresses of this domain.',
  },
  'added elsewhere': {
    subject: (domain) => `${domain} was added to another project`,
    body: 'An owner or admin of this project added the domain to another project. It can send from there once a DNS record of its own is found. If you did not expect this, review the members of this project.',
  },
  lost: {
    subject: (domain) => `${domain} is no longer verified`,
    body: 'Its DNS records were missing in three checks in a row. Emails from this domain are refused until the records are back.',
  },
};

/** The email to an owner or admin of a project that a domain was verified, lost, or added to another project. */
export function domainNotice(
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  { domain, projectId }: { domain: string; projectId: string },
  occasion: Occasion,
  to: string,
): PlatformMail {
  const { subject, body } = texts[occasion];
  return {
    to,
    subject: subject(domain),
    paragraphs: [domain, body],
    action: {
      label: 'Open the domain in the dashboard',
      url: projectPage(config, projectId, 'domains'),
    },
  };
}
