import { recallFormerSpellings } from '../../audience/contacts/index.ts';
import type { SqlDb } from '../../base/db/index.ts';
import type { ProjectState, Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { contentOf, type TemplateRow } from '../../content/templates/index.ts';
import { findSender } from '../../people/domains/index.ts';
import { wasStorageFull } from '../../people/storage/index.ts';
import { insertWorkflowEmail, storeContent } from '../ledger/index.ts';
import { isTracked } from '../message/tracked.rules.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

export interface WorkflowMail {
  project: Pick<ProjectState, 'id' | 'name' | 'language' | 'tracking'>;
  template: TemplateRow;
  contactId: string;
  /** normalised; null: the contact's own address */
  customAddress: string | null;
  vars: Record<string, unknown>;
  workflowExecutionId: string;
  workflowStepExecutionId: string;
}

export type WorkflowMailResult =
  | {
      kind: 'written';
      emailId: string;
      to: string;
      queuedAt: Date;
      skipped: string | null;
      error: string | null;
    }
  | { kind: 'unverified'; domain: string }
  | { kind: 'no_contact' };

/**
 * Writes the email of a workflow's step: content and recipient are fixed now and unaffected by later edits. To be
 * called inside the transaction that completes the step; `notifyOutbox` follows after its commit.
 */
export async function writeWorkflowEmail(
  services: Pick<Services, 'config' | 'database' | 'log' | 'owners' | 'secrets'>,
  db: SqlDb,
  mail: WorkflowMail,
): Promise<WorkflowMailResult> {
  const { config, secrets } = services;
  const { project, template } = mail;
  const sender = await findSender(config, db, project.id, template.from);
  if (!sender) return { kind: 'unverified', domain: template.from.slice(template.from.lastIndexOf('@') + 1) };
  const contentId = await storeContent(db, {
    ...contentOf(template),
    projectId: project.id,
    sourceType: 'WORKFLOW',
    headers: {},
    projectName: project.name,
    language: project.language,
    attachments: [],
  });
  if (mail.customAddress !== null) await recallFormerSpellings(db, secrets, project.id, [mail.customAddress]);
  const written = await insertWorkflowEmail(db, {
    id: newId(),
    projectId: project.id,
    contactId: mail.contactId,
    customAddress: mail.customAddress,
    customHash: mail.customAddress === null ? null : secrets.addressHash(project.id, mail.customAddress),
    type: template.type,
    contentId,
    templateId: template.id,
    domainId: sender.domainId,
    vars: mail.vars,
    tracked: isTracked(project.tracking, template.type),
    caps: capsOf(config),
    isStorageFull: wasStorageFull(services, project.id),
    workflowExecutionId: mail.workflowExecutionId,
    workflowStepExecutionId: mail.workflowStepExecutionId,
  });
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
