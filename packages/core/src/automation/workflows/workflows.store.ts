import { lastEvent, setEventInterests } from '../../audience/events/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import { newId, type Whole } from '../../base/lib/index.ts';
import { textReadsOfStep } from './config-texts.ts';
import { lockGraph } from './graph-lock.store.ts';
import type { StepType } from './steps/steps.schema.ts';
import type { TriggerConfig } from './triggers/trigger.rules.ts';
import { type TriggerType, triggerDefinition } from './triggers/triggers.schema.ts';
import { type Graph, type GraphTransition, type NewTransition, readsOfStep } from './workflows.rules.ts';
import type { WorkflowInput } from './workflows.schema.ts';

export type WorkflowRow = Prisma.WorkflowGetPayload<object>;
export type StepRow = Prisma.WorkflowStepGetPayload<object>;
export type TransitionRow = Prisma.WorkflowTransitionGetPayload<object>;
export type WorkflowGraph = Graph<StepRow, TransitionRow>;

export const findWorkflow = (db: Db, projectId: string, id: string): Promise<WorkflowRow | null> =>
  db.workflow.findFirst({ where: { id, projectId } });

export const findWorkflows = (db: Db, projectId: string, ids: string[]): Promise<WorkflowRow[]> =>
  db.workflow.findMany({ where: { projectId, id: { in: ids } } });

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

/** Steps and transitions of a workflow, both in the order of creation. */
export async function readGraph(db: Db, workflowId: string): Promise<WorkflowGraph> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const steps = await db.workflowStep.findMany({ where: { workflowId }, orderBy });
  const transitions = await db.workflowTransition.findMany({ where: { workflowId }, orderBy });
  return { steps, transitions };
}

/** A step in the form of the API. */
export const presentStep = ({ positionX, positionY, config, ...step }: StepRow) => ({
  ...step,
  position: { x: positionX, y: positionY },
  config: asObject(config),
});

export const presentWorkflow = (workflow: WorkflowRow) => ({
  ...workflow,
  triggerConfig: asObject(workflow.triggerConfig),
});

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

export interface WorkflowSearch {
  page: number;
  pageSize: number;
  search?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
  sort: 'name' | 'createdAt' | 'updatedAt' | 'steps';
  dir: 'asc' | 'desc';
}

export type CountedWorkflow = WorkflowRow & { _count: { steps: number; executions: number } };

export async function searchWorkflows(
  db: Db,
  projectId: string,
  { page, pageSize, search, status, sort, dir }: WorkflowSearch,
): Promise<{ rows: CountedWorkflow[]; total: number }> {
  const contains = search
    ? { contains: search.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const }
    : undefined;
  const where: Prisma.WorkflowWhereInput = {
    projectId,
    ...(status ? { enabled: status === 'active' } : {}),
    ...(contains ? { OR: [{ name: contains }, { description: contains }] } : {}),
  };
  const order = sort === 'steps' ? { steps: { _count: dir } } : { [sort]: dir };
  const [rows, total] = await Promise.all([
    db.workflow.findMany({
      where,
      orderBy: [order, { id: dir }],
      skip: (page - 1) * pageSize,
      take: pageSize,
      include: { _count: { select: { steps: true } } },
    }),
    db.workflow.count({ where }),
  ]);
  const executions = await countExecutions(
    db,
    projectId,
    rows.map(({ id }) => id),
  );
  return {
    rows: rows.map((row) => ({
      ...row,
      _count: { steps: row._count.steps, executions: executions.get(row.id) ?? 0 },
    })),
    total,
  };
}

async function countExecutions(db: Db, projectId: string, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.workflowExecution.groupBy({
    by: ['workflowId'],
    where: { projectId, workflowId: { in: ids } },
    _count: true,
  });
  return new Map(rows.map(({ workflowId, _count }) => [workflowId, _count]));
}

const asJson = (value: Readonly<Record<string, unknown>>): Prisma.InputJsonObject =>
  value as Prisma.InputJsonObject;

/** The event of a new workflow is in the configuration of its trigger. */
interface NewWorkflow extends Whole<Omit<WorkflowInput, 'eventName'>> {
  id: string;
  projectId: string;
  allowReentry: boolean;
  triggerType: TriggerType;
  triggerConfig: TriggerConfig;
  reads: string[];
}

export const insertWorkflow = (db: Db, { triggerConfig, ...workflow }: NewWorkflow): Promise<WorkflowRow> =>
  db.workflow.create({ data: { ...workflow, triggerConfig: asJson(triggerConfig) } });

/** Changes a workflow and raises `wakeSeq`, so that `reconcile` updates its schedule if the signal is lost. */
export const changeWorkflow = (
  db: Db,
  id: string,
  data: Prisma.WorkflowUncheckedUpdateInput = {},
): Promise<WorkflowRow> =>
  db.workflow.update({ where: { id }, data: { ...data, wakeSeq: { increment: 1 } } });

/** The workflow's event triggers it from now on. */
export async function triggerFromNowOn(db: Db, id: string): Promise<void> {
  await db.$executeRaw`UPDATE "Workflow" SET "triggersSince" = now(), "triggersAfter" = ${lastEvent} WHERE "id" = ${id}::uuid`;
}

/**
 * Stores the events that the workflow waits for: that of its trigger while it is enabled, and always those of its
 * wait steps, since executions continue when it is disabled.
 */
export async function refreshInterests(
  db: Db,
  workflow: WorkflowRow,
  steps: readonly StepRow[],
): Promise<void> {
  const { enabled, triggerType, triggerConfig } = workflow;
  const trigger = enabled ? triggerDefinition(triggerType).events(asObject(triggerConfig)) : [];
  const waits = steps
    .filter(({ type }) => type === 'WAIT_FOR_EVENT')
    .map(({ config }) => asObject(config)['eventName']);
  const names = [...trigger, ...waits].filter((name) => typeof name === 'string');
  await setEventInterests(db, workflow.projectId, workflow.id, names);
}

export const forgetInterests = (db: Db, projectId: string, workflowId: string): Promise<void> =>
  setEventInterests(db, projectId, workflowId, []);

/** Deletes a workflow with everything that belongs to it. */
export async function removeWorkflow(db: Db, projectId: string, id: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "WorkflowStepExecution" s USING "WorkflowExecution" e
    WHERE e."projectId" = ${projectId}::uuid AND e."workflowId" = ${id}::uuid AND s."executionId" = e."id"`;
  await db.workflowExecution.deleteMany({ where: { projectId, workflowId: id } });
  await forgetInterests(db, projectId, id);
  await db.workflow.deleteMany({ where: { id, projectId } });
}

/** Finds which of the ids belong to steps of other workflows, in any project: ids are unique across projects. */
export const findForeignSteps = (db: Db, workflowId: string, ids: string[]): Promise<{ id: string }[]> =>
  db.workflowStep.findMany({
    where: { id: { in: ids }, workflowId: { not: workflowId } },
    select: { id: true },
  });

export interface NewStep {
  /** given for a step that other records already refer to */
  id?: string;
  workflowId: string;
  projectId: string;
  type: StepType;
  name: string;
  position: { x: number; y: number };
  config: Record<string, unknown>;
  templateId: string | null;
}

export const insertStep = (db: Db, { position, config, id = newId(), ...step }: NewStep): Promise<StepRow> =>
  db.workflowStep.create({
    data: {
      ...step,
      id,
      positionX: position.x,
      positionY: position.y,
      config: asJson(config),
      reads: readsOfStep(step.type, config),
      textReads: textReadsOfStep(step.type, config),
    },
  });

export interface StepChange {
  name?: string | undefined;
  position?: { x: number; y: number } | undefined;
  config?: Record<string, unknown> | undefined;
  templateId?: string | null | undefined;
}

export const changeStep = (
  db: Db,
  { id, type }: Pick<StepRow, 'id' | 'type'>,
  { name, position, config, templateId }: StepChange,
): Promise<StepRow> =>
  db.workflowStep.update({
    where: { id },
    data: {
      ...(name === undefined ? {} : { name }),
      ...(position === undefined ? {} : { positionX: position.x, positionY: position.y }),
      ...(config === undefined
        ? {}
        : {
            config: asJson(config),
            reads: readsOfStep(type, config),
            textReads: textReadsOfStep(type, config),
          }),
      ...(templateId === undefined ? {} : { templateId }),
    },
  });

/** Deletes steps with all transitions from or to them. */
export async function removeSteps(db: Db, workflowId: string, ids: string[]): Promise<void> {
  await db.workflowTransition.deleteMany({
    where: { workflowId, OR: [{ fromStepId: { in: ids } }, { toStepId: { in: ids } }] },
  });
  await db.workflowStep.deleteMany({ where: { workflowId, id: { in: ids } } });
}

export const insertTransition = (
  db: Db,
  { projectId, id: workflowId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  transition: NewTransition,
  priority = 0,
): Promise<TransitionRow> =>
  db.workflowTransition.create({ data: { ...transition, id: newId(), projectId, workflowId, priority } });

/**
 * Gives a new workflow copies of steps and of the transitions between them, in one statement each. They keep their
 * order, which decides to which step a later one is connected.
 */
export async function insertGraph(
  db: Db,
  { projectId, id: workflowId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  steps: readonly Pick<
    StepRow,
    'id' | 'type' | 'name' | 'positionX' | 'positionY' | 'config' | 'templateId' | 'reads' | 'textReads'
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
    data: steps.map(({ id, type, name, positionX, positionY, config, templateId, reads, textReads }) => ({
      id: idOf(id),
      projectId,
      workflowId,
      type,
      name,
      positionX,
      positionY,
      config: config as Prisma.InputJsonObject,
      templateId,
      reads,
      // None may mean that they were not read yet.
      textReads: textReads.length > 0 ? textReads : textReadsOfStep(type, config),
    })),
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

export async function redirectTransitions(
  db: Db,
  transitions: readonly Pick<GraphTransition, 'id'>[],
  toStepId: string,
): Promise<void> {
  await db.workflowTransition.updateMany({
    where: { id: { in: transitions.map(({ id }) => id) } },
    data: { toStepId },
  });
}

export const removeTransition = (db: Db, workflowId: string, id: string): Promise<unknown> =>
  db.workflowTransition.deleteMany({ where: { id, workflowId } });

/** Whether a configuration equals a stored one, in any order of keys. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

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
