import { lastEvent, setEventInterests } from '../../audience/events/index.ts';
import { type Db, type EmailClass, Prisma } from '../../base/db/index.ts';
import { newId, type Whole } from '../../base/lib/index.ts';
import { presentAuthors } from '../../people/audit/index.ts';
import { textReadsOfStep } from './config-texts.ts';
import { awaitedEvents, type DefinedStep } from './definitions/definition.rules.ts';
import { type Ends, type ExitRule, exitEvents, type WorkflowGoal } from './definitions/ends.rules.ts';
import { anybody, type EntryRules, entryOf } from './entries/entry.rules.ts';
import { countExecutionsOf, type ExecutionCounts, failedLately } from './execution-counts.store.ts';
import { lockGraph } from './graph-lock.store.ts';
import type { StepType } from './steps/steps.schema.ts';
import type { TriggerConfig } from './triggers/trigger.rules.ts';
import { type TriggerType, triggerDefinition } from './triggers/triggers.schema.ts';
import { awaitedByVersions } from './versions/awaited.store.ts';
import { isWorkflowId } from './workflow-reference.schema.ts';
import { type Graph, type NewTransition, readsOfStep } from './workflows.rules.ts';
import type { WorkflowInput } from './workflows.schema.ts';

/** What is told of a draft beside its workflow, without its definition. */
const withDraft = {
  draft: { select: { updatedAt: true, changes: true, authorType: true, authorId: true, keyName: true } },
} as const satisfies Prisma.WorkflowInclude;

export type WorkflowRow = Prisma.WorkflowGetPayload<{ include: typeof withDraft }>;
export type DraftHead = NonNullable<WorkflowRow['draft']>;
export type StepRow = Prisma.WorkflowStepGetPayload<object>;
export type TransitionRow = Prisma.WorkflowTransitionGetPayload<object>;
export type WorkflowGraph = Graph<StepRow, TransitionRow>;

export const findWorkflow = (db: Db, projectId: string, id: string): Promise<WorkflowRow | null> =>
  db.workflow.findFirst({ where: { id, projectId }, include: withDraft });

/** The id of the workflow that a reference names, if it is known without looking; an alias is looked up. */
export async function idOfWorkflow(
  db: Pick<Db, 'workflow'>,
  projectId: string,
  reference: string,
): Promise<string | null> {
  if (isWorkflowId(reference)) return reference;
  const row = await db.workflow.findFirst({ where: { projectId, alias: reference }, select: { id: true } });
  return row?.id ?? null;
}

export const findWorkflows = (db: Db, projectId: string, ids: string[]): Promise<WorkflowRow[]> =>
  db.workflow.findMany({ where: { projectId, id: { in: ids } }, include: withDraft });

/**
 * Locks the workflow's row until the transaction ends, which serialises edits of one workflow. They also wait while
 * an execution of it is being stored (`keep`) or goes from one step to the next (`lockGraph`).
 */
export async function lockWorkflow(
  db: Db,
  projectId: string,
  id: string,
  purpose: 'edit' | 'keep' = 'edit',
): Promise<WorkflowRow | null> {
  const strength = purpose === 'edit' ? Prisma.sql`FOR UPDATE` : Prisma.sql`FOR SHARE`;
  if (purpose === 'edit') await db.$queryRaw`SELECT ${lockGraph(id)}`;
  await db.$queryRaw`SELECT 1 FROM "Workflow" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid ${strength}`;
  return findWorkflow(db, projectId, id);
}

/** The id of another workflow that has an alias; until the transaction ends, no other one gets it. */
export async function findOtherWithAlias(
  db: Db,
  projectId: string,
  alias: string,
  id?: string,
): Promise<string | null> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`workflow/${projectId}/${alias}`}, 0))`;
  const other = await idOfWorkflow(db, projectId, alias);
  return other === id ? null : other;
}

/** Steps and transitions of a workflow, both in the order of creation. */
export async function readGraph(db: Db, workflowId: string): Promise<WorkflowGraph> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const steps = await db.workflowStep.findMany({ where: { workflowId }, orderBy });
  const transitions = await db.workflowTransition.findMany({ where: { workflowId }, orderBy });
  return { steps, transitions };
}

/** A step in the form of the API. */
export const presentStep = (workflowId: string, step: DefinedStep) => ({ ...step, workflowId });

/** Workflows in the form of the API, in their order. */
export async function presentWorkflows<Row extends WorkflowRow>(db: Db, workflows: readonly Row[]) {
  const drafts = workflows.flatMap(({ draft }) => draft ?? []);
  const presented = new Map((await presentDrafts(db, drafts)).map((draft, index) => [drafts[index], draft]));
  return workflows.map((workflow) => ({
    ...workflow,
    ...endsOfRow(workflow),
    triggerConfig: asObject(workflow.triggerConfig),
    entry: entryOf(workflow.entry),
    draft: workflow.draft === null ? null : (presented.get(workflow.draft) ?? null),
  }));
}

/** The goals and exit rules of the live definition. */
export const endsOfRow = ({
  goals,
  exits,
}: Pick<WorkflowRow, 'goals' | 'exits'>): { goals: WorkflowGoal[]; exits: ExitRule[] } => ({
  goals: goals as unknown as WorkflowGoal[],
  exits: exits as unknown as ExitRule[],
});

/** The columns that keep them. */
export const endColumns = ({ goals, exits }: Ends) => ({
  goals: goals as unknown as Prisma.InputJsonArray,
  exits: exits as unknown as Prisma.InputJsonArray,
});

export async function presentWorkflow(db: Db, workflow: WorkflowRow) {
  const [presented] = await presentWorkflows(db, [workflow]);
  if (!presented) throw new Error('a workflow was not presented');
  return presented;
}

async function presentDrafts(db: Db, drafts: readonly DraftHead[]) {
  const authors = await presentAuthors(
    db,
    drafts.map(({ authorType: actorType, authorId: actorId, keyName }) => ({ actorType, actorId, keyName })),
  );
  return drafts.map(({ updatedAt, changes }, index) => ({
    updatedAt,
    changes,
    author: authors[index] ?? null,
  }));
}

export async function presentDraft(db: Db, draft: DraftHead) {
  const [presented] = await presentDrafts(db, [draft]);
  return presented ?? null;
}

/** Configurations and contexts are always stored as objects. */
export const asObject = (value: Prisma.JsonValue): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

export async function templateNames(
  db: Db,
  projectId: string,
  ids: string[],
): Promise<Map<string, { id: string; name: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.template.findMany({
    where: { projectId, id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

export interface CheckedTemplate {
  id: string;
  from: string;
  type: EmailClass;
  subject: string;
  preheader: string | null;
  body: string;
  text: string | null;
  design: unknown;
}

/** What the checks before sending read of templates. */
export const checkedTemplates = (db: Db, projectId: string, ids: string[]): Promise<CheckedTemplate[]> =>
  db.$queryRaw<CheckedTemplate[]>`
    SELECT "id", "from", "type", "subject", "preheader", "body", "text", CASE WHEN "type" <> 'TRANSACTIONAL' THEN "design" END AS "design"
    FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "id" = ANY(${ids}::uuid[])`;

export interface WorkflowSearch {
  page: number;
  pageSize: number;
  search?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
  hasDraft?: boolean | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt' | 'steps' | 'failed24h';
  dir: 'asc' | 'desc';
}

export type CountedWorkflow = WorkflowRow & {
  _count: ExecutionCounts & { steps: number };
};

const none: ExecutionCounts = { executions: 0, active: 0, failed24h: 0 };

export async function searchWorkflows(
  db: Db,
  projectId: string,
  { page, pageSize, search, status, hasDraft, sort, dir }: WorkflowSearch,
): Promise<{ rows: CountedWorkflow[]; total: number }> {
  const contains = search
    ? { contains: search.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const }
    : undefined;
  const where = {
    projectId,
    ...(status ? { enabled: status === 'active' } : {}),
    ...(hasDraft === undefined ? {} : { draft: hasDraft ? { isNot: null } : { is: null } }),
    ...(contains ? { OR: [{ name: contains }, { description: contains }] } : {}),
  } satisfies Prisma.WorkflowWhereInput;
  const include = { ...withDraft, _count: { select: { steps: true } } } as const;
  const skip = (page - 1) * pageSize;
  const find = async () => {
    if (sort === 'failed24h') {
      const ids = (await byFailures(db, where, dir)).slice(skip, skip + pageSize);
      const found = await db.workflow.findMany({ where: { projectId, id: { in: ids } }, include });
      return found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    }
    const order = sort === 'steps' ? { steps: { _count: dir } } : { [sort]: dir };
    return db.workflow.findMany({ where, orderBy: [order, { id: dir }], skip, take: pageSize, include });
  };
  const [rows, total] = await Promise.all([find(), db.workflow.count({ where })]);
  const ids = rows.map(({ id }) => id);
  const counts = await countExecutionsOf(db, projectId, ids);
  return {
    rows: rows.map((row) => ({
      ...row,
      _count: { steps: row._count.steps, ...(counts.get(row.id) ?? none) },
    })),
    total,
  };
}

/** The ids of workflows in the order of their failures in the last 24 hours. */
async function byFailures(
  db: Db,
  where: Prisma.WorkflowWhereInput & { projectId: string },
  dir: 'asc' | 'desc',
): Promise<string[]> {
  const all = await db.workflow.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } });
  const ids = all.map(({ id }) => id);
  const rows = await db.$queryRaw<{ id: string; failed: number }[]>`
    SELECT k."id"::text AS "id", f."failed" FROM unnest(${ids}::uuid[]) AS k("id") CROSS JOIN LATERAL (${failedLately(where.projectId)}) f
    WHERE f."failed" > 0`;
  const failed = new Map(rows.map((row) => [row.id, row.failed]));
  const ascending = ids.toSorted((a, b) => (failed.get(a) ?? 0) - (failed.get(b) ?? 0));
  return dir === 'asc' ? ascending : ascending.toReversed();
}

const asJson = (value: Readonly<Record<string, unknown>>): Prisma.InputJsonObject =>
  value as Prisma.InputJsonObject;

/** The event of a new workflow is in the configuration of its trigger. */
interface NewWorkflow extends Whole<Omit<WorkflowInput, 'eventName'>> {
  id: string;
  projectId: string;
  allowReentry: boolean;
  errorBudget?: boolean;
  triggerType: TriggerType;
  triggerConfig: TriggerConfig;
  reads: string[];
  alias?: string | null;
  entry?: EntryRules;
  timeZone?: string | null;
  /** none without it */
  ends?: Ends;
}

const noEnds: Ends = { goals: [], exits: [] };

export const insertWorkflow = (
  db: Db,
  { triggerConfig, entry = anybody, ends = noEnds, ...workflow }: NewWorkflow,
): Promise<WorkflowRow> =>
  db.workflow.create({
    data: {
      ...workflow,
      ...endColumns(ends),
      triggerConfig: asJson(triggerConfig),
      entry: { ...entry } as Prisma.InputJsonObject,
    },
    include: withDraft,
  });

/** Columns that an edit or a publish changes. */
export type WorkflowColumns = Prisma.WorkflowUncheckedUpdateInput;

/** Changes a workflow and raises `wakeSeq`, so that `reconcile` updates its schedule if the signal is lost. */
export const changeWorkflow = (db: Db, id: string, data: WorkflowColumns = {}): Promise<WorkflowRow> =>
  db.workflow.update({
    where: { id },
    data: { ...data, wakeSeq: { increment: 1 } },
    include: withDraft,
  });

/** The workflow is triggered from now on: by its event, and by dates that come. */
export async function triggerFromNowOn(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE "Workflow" SET "triggersSince" = now(), "triggersAfter" = ${lastEvent}, "datesTo" = now(), "datesAfter" = NULL, "datesZone" = NULL
    WHERE "id" = ${id}::uuid`;
}

/**
 * Stores the events that the workflow waits for: that of its trigger while it is enabled, and always those of its
 * wait steps and exit rules, since executions continue when it is disabled, by every version that they run. Goals wait for their events themselves.
 */
export async function refreshInterests(
  db: Db,
  workflow: WorkflowRow,
  steps: readonly Pick<DefinedStep, 'type' | 'config'>[],
): Promise<void> {
  const { enabled, triggerType, triggerConfig } = workflow;
  const trigger = enabled ? triggerDefinition(triggerType).events(asObject(triggerConfig)) : [];
  const waits = [...steps.flatMap(awaitedEvents), ...(await awaitedByVersions(db, workflow.id))];
  const exits = exitEvents(endsOfRow(workflow));
  await setEventInterests(db, workflow.projectId, workflow.id, [
    ...new Set([...trigger, ...waits, ...exits]),
  ]);
}

/** Failures of before count no longer: the workflow is enabled now. */
export async function countFailuresFromNowOn(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE "Workflow" SET "enabledAt" = now() WHERE "id" = ${id}::uuid`;
}

export const forgetInterests = (db: Db, projectId: string, workflowId: string): Promise<void> =>
  setEventInterests(db, projectId, workflowId, []);

/** Deletes a workflow. Its executions and entries are removed behind it. */
export async function removeWorkflow(db: Db, projectId: string, id: string): Promise<void> {
  await forgetInterests(db, projectId, id);
  await db.workflow.deleteMany({ where: { id, projectId } });
}

/** Which of the ids belong to steps of other workflows, of any project: in force, in a version or in a draft. An id is one step for good. */
export const findForeignSteps = (db: Db, workflowId: string, ids: string[]): Promise<{ id: string }[]> =>
  db.$queryRaw<{ id: string }[]>`
    SELECT s."id"::text AS "id" FROM "WorkflowStep" s WHERE s."id" = ANY(${ids}::uuid[]) AND s."workflowId" <> ${workflowId}::uuid
    UNION SELECT k."id" FROM "WorkflowVersion" v JOIN unnest(${ids}::text[]) AS k("id") ON v."steps" ? k."id"
      WHERE v."steps" ?| ${ids}::text[] AND v."workflowId" <> ${workflowId}::uuid
    UNION SELECT k."id" FROM "WorkflowDraft" d JOIN unnest(${ids}::text[]) AS k("id") ON d."steps" ? k."id"
      WHERE d."steps" ?| ${ids}::text[] AND d."workflowId" <> ${workflowId}::uuid`;

/** Which of the ids are steps that the workflow has had, in a version that is kept, with their keys and types. */
export async function findEarlierSteps(
  db: Db,
  workflowId: string,
  ids: string[],
): Promise<Map<string, { key: string; type: StepType }>> {
  const rows = await db.$queryRaw<{ id: string; key: string; type: StepType }[]>`
    SELECT DISTINCT ON (k."id") k."id", v."steps" -> k."id" ->> 'key' AS "key", v."steps" -> k."id" ->> 'type' AS "type"
    FROM "WorkflowVersion" v JOIN unnest(${ids}::text[]) AS k("id") ON v."steps" ? k."id"
    WHERE v."workflowId" = ${workflowId}::uuid ORDER BY k."id", v."version" DESC`;
  return new Map(rows.map(({ id, ...step }) => [id, step]));
}

export interface FirstStep {
  workflowId: string;
  projectId: string;
  key: string;
  type: StepType;
  name: string;
  position: { x: number; y: number };
  config: Record<string, unknown>;
}

/** The TRIGGER step of a new workflow. */
export const insertStep = async (db: Db, { position, config, ...step }: FirstStep): Promise<void> => {
  await db.workflowStep.create({
    data: {
      ...step,
      id: newId(),
      positionX: position.x,
      positionY: position.y,
      config: asJson(config),
      reads: readsOfStep(step.type, config),
      textReads: textReadsOfStep(step.type, config),
    },
  });
};

/**
 * Gives a new workflow copies of steps and of the transitions between them, in one statement each. They keep their
 * order, which decides to which step a later one is connected.
 */
export async function insertGraph(
  db: Db,
  { projectId, id: workflowId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  steps: readonly Pick<
    StepRow,
    | 'id'
    | 'key'
    | 'type'
    | 'name'
    | 'positionX'
    | 'positionY'
    | 'config'
    | 'templateId'
    | 'reads'
    | 'textReads'
  >[],
  transitions: readonly (NewTransition & { priority: number })[],
): Promise<void> {
  const ids = new Map(steps.map(({ id }) => [id, newId()]));
  const idOf = (id: string): string => {
    const copy = ids.get(id);
    if (copy === undefined) throw new Error('A transition must connect two of the steps');
    return copy;
  };
  await db.workflowStep.createMany({
    data: steps.map(
      ({ id, key, type, name, positionX, positionY, config, templateId, reads, textReads }) => ({
        id: idOf(id),
        projectId,
        workflowId,
        key,
        type,
        name,
        positionX,
        positionY,
        config: config as Prisma.InputJsonObject,
        templateId,
        reads,
        // None may mean that they were not read yet.
        textReads: textReads.length > 0 ? textReads : textReadsOfStep(type, config),
      }),
    ),
  });
  await db.workflowTransition.createMany({
    data: transitions.map(({ fromStepId, toStepId, branch, waitOutcome, priority }) => ({
      id: newId(),
      projectId,
      workflowId,
      fromStepId: idOf(fromStepId),
      toStepId: idOf(toStepId),
      branch,
      waitOutcome,
      priority,
    })),
  });
}

export interface EventKey {
  key: string;
  type: string;
}

/** Keys in the data of the last 100 events with data, each with the type of its newest value. */
export async function recentEventKeys(
  db: Db,
  projectId: string,
  eventName: string | undefined,
): Promise<EventKey[]> {
  const named = eventName === undefined ? Prisma.empty : Prisma.sql`AND "name" = ${eventName}`;
  const rows = await db.$queryRaw<{ data: Record<string, unknown> }[]>`
    SELECT "data" FROM "Event"
    WHERE "projectId" = ${projectId}::uuid AND "kind" <> 'ACTIVITY' AND jsonb_typeof("data") = 'object' ${named}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT 100`;
  const types = new Map<string, string>();
  for (const { data } of rows) {
    for (const [key, value] of Object.entries(data)) {
      if (value !== null && !types.has(key)) types.set(key, typeOfValue(value));
      else if (!types.has(key)) types.set(key, 'string');
    }
  }
  return [...types].map(([key, type]) => ({ key, type })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

const typeOfValue = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value) ? 'date' : typeof value;
};
