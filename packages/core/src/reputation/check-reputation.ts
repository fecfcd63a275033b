import { type Services, systemContext } from '../kernel/index.ts';
import { disableProject } from '../projects/index.ts';
import { readStatus } from './read-status.ts';
import { readCheck, removeCheck } from './reputation.store.ts';

/**
 * Checks the levels of a project with new bounces or complaints, and disables it when one is critical (behaviour B4.19).
 *
 * @returns whether bounces or complaints that arrived in the meantime are to be checked as well
 */
export async function checkReputation(services: Services, projectId: string): Promise<boolean> {
  const { prisma } = services.database;
  const check = await readCheck(prisma, projectId);
  if (!check) return false;
  const status = await readStatus(prisma, projectId);
  if (status && !status.standing.disabled && status.assessment.violations.length > 0) {
    const { violations } = status.assessment;
    services.log.warn({ projectId, violations }, 'the reputation of a project is critical');
    if (services.config.AUTO_PROJECT_DISABLE)
      await disableProject.run(systemContext(services), { id: projectId, reason: 'EMAIL_REPUTATION' });
  }
  // Only now, so that a check that is interrupted is repeated.
  return !(await removeCheck(prisma, projectId, check));
}
