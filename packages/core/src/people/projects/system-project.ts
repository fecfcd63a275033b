import type { Db } from '../../base/db/index.ts';
import type { ProjectState } from '../../base/kernel/index.ts';
import { ensureHiddenProject } from './projects.store.ts';

/** A fixed id: whichever process starts first creates the same project in every installation. */
export const systemProjectId = '00000000-0000-7000-8000-000000000000';

/**
 * The hidden project that platform emails are sent from. It has no keys, members or billing and is never listed.
 *
 * @param db in a transaction, its own: transactions that wait for further connections block one another
 */
export async function ensureSystemProject(db: Db): Promise<ProjectState> {
  const row = await ensureHiddenProject(db, systemProjectId, 'Postrider');
  const { id, name, disabled, language, timeZone, tracking, definesFields } = row;
  return { id, name, disabled, language, timeZone, tracking, definesFields };
}
