import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';
import type { Turn } from './domains.rules.ts';

const texts: Record<Turn, { subject: (domain: string) => string; body: string }> = {
  verified: {
    subject: (domain) => `${domain} is verified`,
    body: 'Its DNS records were found. You can now send email from addresses of this domain.',
  },
  lost: {
    subject: (domain) => `${domain} is no longer verified`,
    body: 'Its DNS records were missing in three checks in a row. Emails from this domain are refused until the records are back.',
  },
};

/** The notice to one of a project's owner and admins that a domain was verified or lost. */
export function domainNotice(
  { DASHBOARD_URL }: Pick<CoreConfig, 'DASHBOARD_URL'>,
  { domain, projectId }: { domain: string; projectId: string },
  turn: Turn,
  to: string,
): PlatformMail {
  const { subject, body } = texts[turn];
  const link = `${DASHBOARD_URL}/domains?project=${projectId}`;
  return {
    to,
    subject: subject(domain),
    html: `<p><strong>${domain}</strong></p><p>${body}</p><p><a href="${link}">Open the domain in the dashboard</a></p>`,
  };
}
