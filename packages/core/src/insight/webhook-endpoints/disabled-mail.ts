import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { projectPage } from '../../base/kernel/project-page.ts';

/** `GONE`: it answered 410. `FAILING`: no request has succeeded for 5 days. */
export const endpointDisabledReasons = ['GONE', 'FAILING'] as const;
export type EndpointDisabledReason = (typeof endpointDisabledReasons)[number];

/** The email to an owner or admin that a webhook endpoint of their project was disabled. */
export const endpointDisabledMail = (
  config: Pick<CoreConfig, 'DASHBOARD_URL'>,
  to: Addressee,
  { url, projectId, projectName }: { url: string; projectId: string; projectName: string },
  reason: EndpointDisabledReason,
): PlatformMail => ({
  to,
  mail: 'endpointDisabled',
  values: { project: projectName, url, reason },
  url: projectPage(config, projectId, 'webhooks'),
});
