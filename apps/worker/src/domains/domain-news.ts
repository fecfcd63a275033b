import type { DomainNews, TellDomainNews } from '@postrider/core/domains';
import type { Services } from '@postrider/core/kernel';
import { writePlatformMail } from '@postrider/core/sending';

const texts: Record<DomainNews['turn'], { subject: (domain: string) => string; body: string }> = {
  verified: {
    subject: (domain) => `${domain} is verified`,
    body: 'Its DNS records were found. Mail from addresses of this domain can be sent now.',
  },
  lost: {
    subject: (domain) => `${domain} is no longer verified`,
    body: 'Its DNS records were not found in three checks in a row. Mail from this domain is refused until they are back.',
  },
};

/** Writes the mails that tell a project's owner and admins about their domain, with the change itself. */
export const tellDomainNews =
  (services: Services): TellDomainNews =>
  async (db, { turn, domain, projectId, to }) => {
    const { subject, body } = texts[turn];
    const link = `${services.config.DASHBOARD_URL}/domains?project=${projectId}`;
    for (const address of to) {
      await writePlatformMail(services, db, {
        to: address,
        subject: subject(domain),
        html: `<p><strong>${domain}</strong></p><p>${body}</p><p><a href="${link}">Open the domain in the dashboard</a></p>`,
      });
    }
  };
