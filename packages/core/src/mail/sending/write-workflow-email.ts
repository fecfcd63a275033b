import { recallFormerSpellings } from '../../audience/contacts/index.ts';
import type { SqlDb } from '../../base/db/index.ts';
import type { ProjectState, Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { contentOf, type TemplateRow } from '../../content/templates/index.ts';
import { findSender } from '../../people/domains/index.ts';
import { wasStorageFull } from '../../people/storage/index.ts';
import {
  insertWorkflowEmails,
  storeContent,
  type WorkflowMailContent,
  type WrittenWorkflowEmail,
} from '../ledger/index.ts';
import { isTracked } from '../message/tracked.rules.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

export type PreparedWorkflowMail =
  | { kind: 'ready'; content: WorkflowMailContent }
  | { kind: 'unverified'; domain: string };

/**
 * What the emails of a step have in common: their content, which later edits of the template do not change, and their sender. To be called
 * inside the transaction that completes the step.
 */
export async function prepareWorkflowMail(
  { config }: Pick<Services, 'config'>,
  db: SqlDb,
  project: Pick<ProjectState, 'id' | 'name' | 'language' | 'tracking'>,
  template: TemplateRow,
): Promise<PreparedWorkflowMail> {
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
  return {
    kind: 'ready',
    content: {
      contentId,
      templateId: template.id,
      domainId: sender.domainId,
      type: template.type,
      tracked: isTracked(project.tracking, template.type),
    },
  };
}

export interface WorkflowMail {
  content: WorkflowMailContent;
  contactId: string;
  /** normalised; null: the contact's own address */
  customAddress: string | null;
  vars: Record<string, unknown>;
  workflowExecutionId: string;
  workflowStepExecutionId: string;
}

/**
 * Writes the emails of steps of one project: recipients are fixed now. To be called inside the transaction that completes the steps and
 * holds their contacts; `notifyOutbox` follows after its commit.
 *
 * @returns one for each, in their order; null when its contact was deleted
 */
export async function writeWorkflowEmails(
  services: Pick<Services, 'config' | 'database' | 'log' | 'owners' | 'secrets'>,
  db: SqlDb,
  projectId: string,
  mails: readonly WorkflowMail[],
): Promise<(WrittenWorkflowEmail | null)[]> {
  const { config, secrets } = services;
  const custom = [...new Set(mails.flatMap(({ customAddress }) => customAddress ?? []))];
  if (custom.length > 0) await recallFormerSpellings(db, secrets, projectId, custom);
  return insertWorkflowEmails(db, {
    projectId,
    mails: mails.map((mail) => ({
      ...mail,
      id: newId(),
      customHash:
        mail.customAddress === null
          ? null
          : secrets.addressHash(projectId, mail.customAddress).toString('hex'),
    })),
    caps: capsOf(config),
    isStorageFull: wasStorageFull(services, projectId),
  });
}
