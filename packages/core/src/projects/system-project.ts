import type { ProjectState, Services } from '../kernel/index.ts';
import { ensureHiddenProject } from './projects.store.ts';

/** There is one, whatever starts first: its id is the same in every installation. */
export const systemProjectId = '00000000-0000-7000-8000-000000000000';

/** The hidden project under which the platform's own mail goes out: without keys, members or bills, never listed. */
export async function ensureSystemProject(services: Services): Promise<ProjectState> {
  const row = await ensureHiddenProject(services.database.prisma, systemProjectId, 'Postrider');
  const { id, name, disabled, language, tracking } = row;
  return { id, name, disabled, language, tracking };
}
