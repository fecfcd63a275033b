import type { DisabledReason } from '../../base/db/index.ts';
import type { CoreConfig } from '../../base/kernel/config.ts';
import type { Addressee, PlatformMail } from '../../base/kernel/ports/platform-mailer.ts';
import { projectPage } from '../../base/kernel/project-page.ts';

interface Named {
  to: Addressee;
  projectId: string;
  project: string;
}
type Urls = Pick<CoreConfig, 'DASHBOARD_URL'>;

/** The email to a member whose project was disabled. */
export const disabledMail = (
  config: Urls,
  { to, projectId, project }: Named,
  reason: DisabledReason,
): PlatformMail => ({
  to,
  mail: 'projectDisabled',
  values: { project, reason },
  url: projectPage(config, projectId),
});

/** The email to a member whose project was enabled again. */
export const enabledMail = (config: Urls, { to, projectId, project }: Named): PlatformMail => ({
  to,
  mail: 'projectEnabled',
  values: { project },
  url: projectPage(config, projectId),
});
