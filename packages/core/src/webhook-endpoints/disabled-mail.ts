import type { CoreConfig } from '../kernel/config.ts';
import type { PlatformMail } from '../kernel/ports/platform-mailer.ts';
import { projectPage } from '../kernel/project-page.ts';

export const endpointDisabledReasons = ['GONE', 'FAILING'] as const;
export type EndpointDisabledReason = (typeof endpointDisabledReasons)[number];

const explanations: Record<EndpointDisabledReason, string> = {
  GONE: 'It answered with status 410 (Gone), which means that it no longer wants events.',
  FAILING: 'None of the requests to it has succeeded for 5 days.',
};

/** The email to an owner or admin that a webhook endpoint of their project was disabled. */
export const endpointDisabledMail = (
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  to: string,
  { url, projectId, projectName }: { url: string; projectId: string; projectName: string },
  reason: EndpointDisabledReason,
): PlatformMail => ({
  to,
  subject: `A webhook endpoint of ${projectName} is disabled`,
  paragraphs: [
    url,
    explanations[reason],
    'Events are no longer queued for it. Pending deliveries wait until the endpoint is enabled again.',
  ],
  action: { label: 'Open the webhooks', url: projectPage(config, projectId, 'webhooks') },
});
