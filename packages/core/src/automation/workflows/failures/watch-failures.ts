import type { Services } from '../../../base/kernel/index.ts';
import { systemContext } from '../../../base/kernel/index.ts';
import { projectPage } from '../../../base/kernel/project-page.ts';
import { findLeaders } from '../../../people/domains/index.ts';
import { exceeding } from './budget.rules.ts';
import { disableByErrors } from './disable-by-errors.ts';
import { claimNotice, findFailing, groupFailures } from './failures.store.ts';
import { countEnds } from './visits.store.ts';

const pageSize = 500;
/** Steps and reasons that an email names. */
const namedGroups = 5;

/**
 * Tells the leaders of projects of workflows that fail, and disables those that fail too often (behaviour B14.7). Any number of processes may run
 * it: the row of the workflow decides who tells, and who disables.
 *
 * @param endsAt by `performance.now()`
 * @returns how many workflows were told of or disabled
 */
export async function watchFailures(services: Services, endsAt: number): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  while (performance.now() < endsAt) {
    const page = await findFailing(services.database.prisma, after, pageSize);
    for (const { id, projectId, isToTell, isWatched } of page) {
      if (isWatched && (await disableIfExceeding(services, projectId, id))) changed += 1;
      if (isToTell && (await tell(services, projectId, id))) changed += 1;
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < pageSize) break;
  }
  return changed;
}

async function disableIfExceeding(services: Services, projectId: string, id: string): Promise<boolean> {
  const worst = exceeding(await countEnds(services.database.prisma, { projectId, workflowId: id }));
  if (!worst) return false;
  const { changed } = await disableByErrors.run(systemContext(services), { id, projectId, ...worst });
  if (changed)
    services.log.warn({ projectId, workflowId: id, ...worst }, 'a workflow fails too often; it is disabled');
  return changed;
}

async function tell(services: Services, projectId: string, id: string): Promise<boolean> {
  const { database, platformMail, config, log } = services;
  const count = await database.prisma.$transaction(async (db) => {
    const told = await claimNotice(db, projectId, id);
    if (!told) return 0;
    const { workflow, project, since } = told;
    const failures = await groupFailures(db, { projectId, workflowId: id, since }, namedGroups);
    const url = projectPage(config, projectId, `workflows/${id}/executions?status=FAILED`);
    const values = { project, workflow, ...failures };
    for (const to of await findLeaders(db, projectId))
      await platformMail.write(db, { to, mail: 'executionsFailed', values, url });
    return failures.count;
  });
  if (count === 0) return false;
  log.info(
    { projectId, workflowId: id, count },
    'executions of a workflow failed; the leaders of the project are told',
  );
  platformMail.notify();
  return true;
}
