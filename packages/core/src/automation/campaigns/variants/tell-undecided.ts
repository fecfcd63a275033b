import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { projectPage } from '../../../base/kernel/project-page.ts';
import { findLeaders } from '../../../people/domains/index.ts';
import { type CampaignRow, readCampaignProject } from '../campaigns.store.ts';

/** Writes an email to the leaders of the project of a campaign whose rest waits for them. After the commit `platformMail.notify` is to be called. */
export async function tellUndecided(
  { platformMail, config }: Pick<Services, 'platformMail' | 'config'>,
  db: Db,
  {
    id,
    projectId,
    name: campaign,
    testMismatch,
  }: Pick<CampaignRow, 'id' | 'projectId' | 'name' | 'testMismatch'>,
): Promise<void> {
  const project = (await readCampaignProject(db, projectId))?.name ?? '';
  const url = projectPage(config, projectId, `campaigns/${id}`);
  for (const to of await findLeaders(db, projectId))
    await platformMail.write(db, {
      to,
      mail: 'testUndecided',
      values: { project, campaign, isMismatch: testMismatch },
      url,
    });
}
