import { setTimeout as wait } from 'node:timers/promises';
import { type SenderRefusal, type Services, systemContext } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { findLeaders } from '../domains/index.ts';
import { disableProject } from '../projects/index.ts';
import { readStatus } from './read-status.ts';
import { claimRefusalMail, claimUnprovenMail, readCheck, removeCheck } from './reputation.store.ts';

/** Between two checks of a project to which bounces keep coming, in milliseconds: one check counts all of them. */
const pauseMs = 1_000;

/**
 * Checks the levels of a project with new bounces or complaints, and disables it when one is critical (behaviour B4.19).
 *
 * @returns whether bounces or complaints that arrived in the meantime are to be checked as well
 */
export async function checkReputation(services: Services, projectId: string): Promise<boolean> {
  const { prisma } = services.database;
  const check = await readCheck(prisma, projectId);
  if (!check) return false;
  const status = await readStatus(services, prisma, projectId);
  if (status && !status.standing.disabled) {
    const { violations, warnings, refusals, isDoubtful } = status.assessment;
    if (violations.length > 0) {
      services.log.warn({ projectId, violations }, 'the reputation of a project is critical');
      if (services.config.AUTO_PROJECT_DISABLE)
        await disableProject.run(systemContext(services), { id: projectId, reason: 'EMAIL_REPUTATION' });
    } else if (isDoubtful) {
      services.log.warn({ projectId, warnings }, 'reports that are not proven would disable a project');
      await tellOwner(services, projectId);
    }
    for (const refusal of refusals) await tellLeaders(services, projectId, refusal, status.refusals[refusal]);
  }
  // Only now, so that a check that is interrupted is repeated.
  if (await removeCheck(prisma, projectId, check)) return false;
  await wait(pauseMs, null, { ref: false });
  return true;
}

/** Once a week for each class. */
async function tellLeaders(
  { database, platformMail, config, log }: Services,
  projectId: string,
  refusal: SenderRefusal,
  count: number,
): Promise<void> {
  const told = await database.prisma.$transaction(async (db) => {
    const project = await claimRefusalMail(db, projectId, refusal);
    if (project === null) return false;
    const url = projectPage(config, projectId, refusal === 'authentication' ? 'domains' : 'reputation');
    const values = { project, refusal, count };
    for (const to of await findLeaders(db, projectId))
      await platformMail.write(db, { to, mail: 'emailRefused', values, url });
    return true;
  });
  if (!told) return;
  log.warn({ projectId, refusal, count }, 'much email of a project is refused');
  platformMail.notify();
}

async function tellOwner({ database, platformMail, config }: Services, projectId: string): Promise<void> {
  await database.prisma.$transaction(async (db) => {
    const told = await claimUnprovenMail(db, projectId);
    if (!told) return;
    const { to, project } = told;
    const url = projectPage(config, projectId, 'reputation');
    await platformMail.write(db, { to, mail: 'reportsUnproven', values: { project }, url });
  });
  platformMail.notify();
}
