import {
  type ContactChangeById,
  presentDefinitions,
  type UpdatedContact,
  updateContactsById,
} from '../../../audience/contacts/index.ts';
import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { numbersOfTopics } from '../../../audience/topics/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { findTemplate } from '../../../content/templates/index.ts';
import { linkTagsOf } from '../../../mail/message/index.ts';
import {
  type PreparedWorkflowMail,
  prepareWorkflowMail,
  type WorkflowMail,
  writeWorkflowEmails,
} from '../../../mail/sending/index.ts';
import { linkTaggingOf } from '../../../people/projects/index.ts';
import { isTreeCondition } from '../steps/condition.step.ts';
import { emailsRead, evaluateConditions } from '../steps/evaluate-conditions.ts';
import type { FillInInput, FillInOutput } from './fill-in.task.ts';
import { defaultMaxLength, type FilledTexts, fillIn } from './fill-in.ts';
import type { StepTexts } from './fill-in-texts.ts';
import { type EventConditions, type EventSearch, type FoundEvent, findEvents } from './find-events.store.ts';
import { matchTrees } from './match-trees.ts';
import type { Member, SetProject, SetWorkflow, Visit } from './member.ts';
import type { NewStepRequest } from './set.store.ts';
import { atStep } from './step-error.ts';
import { variablesOf } from './variables.ts';

type Json = Record<string, unknown>;

export type PreparedMail = PreparedWorkflowMail | { kind: 'no_template' };

/**
 * What steps do besides deciding. A test run replaces those that reach beyond its transaction.
 */
export interface SetTools {
  /** The first events since anchors, one for each search, that meet conditions. */
  search(searches: readonly EventSearch[], conditions?: EventConditions): Promise<(FoundEvent | null)[]>;
  evaluate: (
    ...args: Parameters<typeof evaluateConditions> extends [SqlDb, ...infer Rest] ? Rest : never
  ) => ReturnType<typeof evaluateConditions>;
  /** The first of these trees that each member matches, by its index; null for none. */
  matches(
    members: readonly Member[],
    trees: readonly FilterTree[],
    clock: { now: Date; timeZone: string },
  ): Promise<(number | null)[]>;
  /** The definitions of fields of contacts. */
  definitions(): ReturnType<typeof presentDefinitions>;
  /** The numbers of the topics that can be chosen, by their keys. */
  topics(): Promise<ReadonlyMap<string, number>>;
  /** Changes contacts. Those that others hold at the moment are not in the result. */
  update(changes: readonly ContactChangeById[]): Promise<Map<string, UpdatedContact>>;
  /** Content and sender of a template, looked up once per set. */
  mail(templateId: string): Promise<PreparedMail>;
  /** An email, written with all others of the set at its end, which completes the output of its step. */
  email(stepId: string, mail: WorkflowMail, output: Json): void;
  /** A request of the step that is parked with it. */
  request(visit: Visit, request: Omit<NewStepRequest, 'stepExecutionId' | 'executionId'>): void;
  /** The texts of a step, filled in; null when the set has to leave the execution until a thread has done it. */
  fill(visit: Visit, texts: StepTexts, maxLength?: number): FillInOutput | null;
}

/** What the tools of a set have gathered. */
export interface Gathered {
  requests: NewStepRequest[];
  /** texts that threads have to fill in, by the ids of executions */
  needed: Map<string, FillInInput>;
  /** whether emails wait for delivery processes, and whether contacts have changed */
  hasMail: boolean;
  hasChanges: boolean;
  /** Writes the emails that are not written yet, in one statement. */
  writeEmails(): Promise<void>;
}

/** @param known texts that threads have filled in */
export function setTools(
  services: Services,
  db: SqlDb,
  project: SetProject,
  workflow: Pick<SetWorkflow, 'id' | 'name'>,
  known: FilledTexts,
): { tools: SetTools; gathered: Gathered } {
  interface OpenMail {
    stepId: string;
    mail: WorkflowMail;
    output: Json;
  }
  let mails: OpenMail[] = [];
  const write = async (isWanted: (mail: OpenMail) => boolean): Promise<void> => {
    const wanted = mails.filter(isWanted);
    const [first] = wanted;
    if (!first) return;
    const isTaken = new Set(wanted);
    mails = mails.filter((each) => !isTaken.has(each));
    const given = wanted.map(({ mail }) => mail);
    const written = await atStep(first.stepId, () => writeWorkflowEmails(services, db, project.id, given));
    wanted.forEach(({ output }, index) => {
      const email = written[index];
      if (!email) throw new Error('a contact that the set holds is gone');
      const { id, to, createdAt, reason, error } = email;
      Object.assign(output, {
        emailId: id,
        recipientEmail: to,
        queuedAt: createdAt.toISOString(),
        skipped: reason,
        ...(error === null ? {} : { error }),
      });
    });
    gathered.hasMail = true;
  };
  const prepared = new Map<string, Promise<PreparedMail>>();
  const prepare = async (templateId: string): Promise<PreparedMail> => {
    const template = await findTemplate(db, project.id, templateId);
    if (!template) return { kind: 'no_template' };
    const tags = linkTagsOf(linkTaggingOf(project.utm ?? null), workflow);
    return prepareWorkflowMail(services, db, project, template, tags);
  };
  const gathered: Gathered = {
    requests: [],
    needed: new Map(),
    hasMail: false,
    hasChanges: false,
    writeEmails: () => write(() => true),
  };
  const tools: SetTools = {
    search: (searches, conditions) => findEvents(db, project.id, searches, conditions),
    async evaluate(members, config, at) {
      if (isTreeCondition(config)) {
        const isRead = emailsRead(config, members, at);
        await write(({ stepId, mail }) => isRead(stepId, mail.workflowExecutionId));
      }
      return evaluateConditions(db, members, config, at);
    },
    matches: (...asked) => matchTrees(db, project.id, ...asked),
    definitions: () => presentDefinitions(db, project.id),
    topics: () => numbersOfTopics(db, project.id),
    async update(changes) {
      const updated = await updateContactsById(db, services.secrets, project.id, changes, {
        ...{ by: 'mass', source: 'workflow', actor: 'system', reason: 'workflow' },
      });
      gathered.hasChanges = true;
      return updated;
    },
    mail(templateId) {
      const preparing = prepared.get(templateId) ?? prepare(templateId);
      prepared.set(templateId, preparing);
      return preparing;
    },
    email(stepId, mail, output) {
      mails.push({ stepId, mail, output });
    },
    request({ member, stepExecutionId }, request) {
      gathered.requests.push({ ...request, stepExecutionId, executionId: member.id });
    },
    fill({ member }, texts, maxLength = defaultMaxLength) {
      const input = { texts, variables: variablesOf(services, project, member), maxLength };
      const filled = fillIn(input, known);
      if (!filled) gathered.needed.set(member.id, input);
      return filled;
    },
  };
  return { tools, gathered };
}
