import type { Db } from '../../base/db/index.ts';
import {
  type ConfirmationSender,
  consentSettingsOf,
  type ShownProject,
  showProject,
} from '../../people/projects/index.ts';
import { findAskingProject } from './asker.store.ts';

export interface Asker {
  project: ShownProject;
  projectLanguage: string;
  sender: ConfirmationSender;
}

/** Who asks for confirmations of a project, and what its emails show; null while nobody does, or the project is disabled. */
export async function findAsker(db: Db, projectId: string): Promise<Asker | null> {
  const row = await findAskingProject(db, projectId);
  const sender = row && consentSettingsOf(row.consent).confirmation;
  return row && sender ? { project: showProject(row), projectLanguage: row.language, sender } : null;
}
