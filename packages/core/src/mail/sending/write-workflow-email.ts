import { recallFormerSpellings } from '../../audience/contacts/index.ts';
import { findReceivedTopic } from '../../audience/topics/index.ts';
import type { SqlDb } from '../../base/db/index.ts';
import type { ProjectState, Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { contentOf, type TemplateRow } from '../../content/templates/index.ts';
import { findSender } from '../../people/domains/index.ts';
import { wasStorageFull } from '../../people/storage/index.ts';
import {
  insertWorkflowEmails,
  judgeEmailsOfSteps,
  ofLinkTags,
  ofTopic,
  storeContent,
  type TriedWorkflowEmail,
  type WorkflowMailContent,
  type WrittenWorkflowEmail,
} from '../ledger/index.ts';
import type { LinkTags } from '../message/link-tags.rules.ts';
import { isTracked } from '../message/tracked.rules.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

export type PreparedWorkflowMail =
  | { kind: 'ready'; content: WorkflowMailContent }
  | { kind: 'unverified'; domain: string };

/**
 * What the emails of a step have in common: their content, which later edits of the template do not change, and their sender. To be called
 * inside the transaction that completes the step.
 *
 * @param tags of links; null without
 */
export const prepareWorkflowMail = (
  services: Pick<Services, 'config'>,
  db: SqlDb,
  project: MailProject,
  template: TemplateRow,
  tags: LinkTags | null = null,
): Promise<PreparedWorkflowMail> =>
  prepared(services, db, project, template, 'keep', () =>
    storeContent(db, {
      ...contentOf(template),
      projectId: project.id,
      sourceType: 'WORKFLOW',
      headers: {},
      projectName: project.name,
      language: project.language,
      ...ofTopic(template),
      ...ofLinkTags(tags),
      attachments: [],
    }),
  );

/** The same for emails that are not written: nothing is stored. The id of their content is that of the template. */
export const tryWorkflowMail = (
  services: Pick<Services, 'config'>,
  db: SqlDb,
  project: MailProject,
  template: TemplateRow,
): Promise<PreparedWorkflowMail> =>
  prepared(services, db, project, template, 'look', () => Promise.resolve(template.id));

type MailProject = Pick<ProjectState, 'id' | 'name' | 'language' | 'tracking'>;

async function prepared(
  { config }: Pick<Services, 'config'>,
  db: SqlDb,
  project: MailProject,
  template: TemplateRow,
  purpose: 'keep' | 'look',
  contentIdOf: () => Promise<string>,
): Promise<PreparedWorkflowMail> {
  const sender = await findSender(config, db, project.id, template.from, purpose);
  if (!sender) return { kind: 'unverified', domain: template.from.slice(template.from.lastIndexOf('@') + 1) };
  const topic = await findReceivedTopic(db, project.id, template.topicId);
  return {
    kind: 'ready',
    content: {
      topicNumber: topic?.number ?? null,
      topicIsIn: topic ? topic.default === 'IN' : null,
      contentId: await contentIdOf(),
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
      customHash: hashOf(secrets, projectId, mail.customAddress),
    })),
    caps: capsOf(config),
    isStorageFull: wasStorageFull(services, projectId),
  });
}

const hashOf = (
  secrets: Pick<Services['secrets'], 'addressHash'>,
  projectId: string,
  address: string | null,
): string | null => (address === null ? null : secrets.addressHash(projectId, address).toString('hex'));

/** A contact of an email that is not written: as a simulation has it, whatever is stored. */
export type TriedWorkflowMail = Pick<WorkflowMail, 'content' | 'customAddress'> &
  Omit<TriedWorkflowEmail, 'content' | 'customAddress' | 'customHash'>;

/**
 * Decides for emails that are not written to whom they would go, and why they would be skipped. It only reads.
 *
 * @returns one for each, in their order
 */
export const judgeWorkflowEmails = (
  { secrets }: Pick<Services, 'secrets'>,
  db: SqlDb,
  projectId: string,
  mails: readonly TriedWorkflowMail[],
): ReturnType<typeof judgeEmailsOfSteps> =>
  judgeEmailsOfSteps(
    db,
    projectId,
    mails.map(({ content, customAddress, email, subscribed, topicsOn, topicsOff, topicDefaults }) => ({
      ...{ content, customAddress, email, subscribed, topicsOn, topicsOff, topicDefaults },
      customHash: hashOf(secrets, projectId, customAddress),
    })),
  );
