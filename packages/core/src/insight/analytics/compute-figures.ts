import { wantedFieldFigures } from '../../audience/contacts/index.ts';
import { wantedEventFigures } from '../../audience/events/index.ts';
import { wantedAudiences } from '../../automation/campaigns/index.ts';
import { wantedExecutionCounts } from '../../automation/workflows/index.ts';
import { computeFiguresJob, computeWanted, projectsWithWanted } from '../../base/figures/index.ts';
import type { Services } from '../../base/kernel/index.ts';

/** Computes the figures of a project that requests have got as estimates. @returns how many */
export const computeFigures = (services: Services, projectId: string): Promise<number> =>
  computeWanted(services, projectId, [
    wantedFieldFigures,
    wantedEventFigures,
    wantedAudiences,
    wantedExecutionCounts,
  ]);

/** Has the figures of all projects computed that are still wanted. */
export async function startWantedFigures(services: Services): Promise<void> {
  for (const projectId of await projectsWithWanted(services))
    await services.workflows.signal(computeFiguresJob, { projectId });
}
