import type { SqlDb } from '../../base/db/index.ts';
import type { ProjectState, Services } from '../../base/kernel/index.ts';
import type { TemplateRow } from '../../content/templates/index.ts';
import type { WrittenWorkflowEmail } from '../ledger/index.ts';
import { prepareWorkflowMail, type WorkflowMail, writeWorkflowEmails } from './write-workflow-email.ts';

interface OneMail extends Omit<WorkflowMail, 'content'> {
  project: Pick<ProjectState, 'id' | 'name' | 'language' | 'tracking'>;
  template: TemplateRow;
}

type OneResult =
  | ({ kind: 'written'; emailId: string; queuedAt: Date; skipped: string | null } & Pick<
      WrittenWorkflowEmail,
      'to' | 'error'
    >)
  | { kind: 'unverified'; domain: string }
  | { kind: 'no_contact' };

/** Writes the email of one step, as a set does. */
export async function writeWorkflowEmail(
  services: Services,
  db: SqlDb,
  { project, template, ...mail }: OneMail,
): Promise<OneResult> {
  const prepared = await prepareWorkflowMail(services, db, project, template);
  if (prepared.kind === 'unverified') return prepared;
  const [written] = await writeWorkflowEmails(services, db, project.id, [
    { ...mail, content: prepared.content },
  ]);
  if (!written) return { kind: 'no_contact' };
  return {
    kind: 'written',
    emailId: written.id,
    to: written.to,
    queuedAt: written.createdAt,
    skipped: written.reason,
    error: written.error,
  };
}
