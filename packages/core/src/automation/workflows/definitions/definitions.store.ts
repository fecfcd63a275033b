import { type Db, Prisma } from '../../../base/db/index.ts';
import type { authorOf } from '../../../people/audit/index.ts';
import { textReadsOfStep } from '../config-texts.ts';
import { entryOf } from '../entries/entry.rules.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import { asObject, endsOfRow, readGraph, type StepRow, type WorkflowRow } from '../workflows.store.ts';
import {
  type DefinedStep,
  type DefinedTransition,
  definitionOf,
  isSameJson,
  readsOfDefinition,
  type StoredDefinition,
  summaryOf,
  templatesOf,
  type WorkflowDefinition,
} from './definition.rules.ts';

const stepOf = ({ id, key, type, name, positionX, positionY, config, templateId, ...dates }: StepRow) => ({
  id,
  key,
  type,
  name,
  position: { x: positionX, y: positionY },
  config: asObject(config),
  templateId,
  createdAt: dates.createdAt,
  updatedAt: dates.updatedAt,
});

/** The live definition, or the only one, from the rows of the workflow. */
export async function readLive(
  db: Db,
  {
    id,
    triggerType,
    triggerConfig,
    allowReentry,
    entry,
    timeZone,
    goals,
    exits,
  }: Pick<
    WorkflowRow,
    'id' | 'triggerType' | 'triggerConfig' | 'allowReentry' | 'entry' | 'timeZone' | 'goals' | 'exits'
  >,
): Promise<WorkflowDefinition> {
  const { steps, transitions } = await readGraph(db, id);
  return {
    triggerType,
    triggerConfig: asObject(triggerConfig),
    allowReentry,
    entry: entryOf(entry),
    timeZone,
    ...endsOfRow({ goals, exits }),
    steps: steps.map(stepOf),
    transitions: transitions.map(({ projectId: _, workflowId: __, ...transition }) => transition),
  };
}

/** The columns that keep a definition, and what is asked of it. */
export const columnsOf = (definition: WorkflowDefinition) => ({
  definition: JSON.parse(JSON.stringify(definition)) as Prisma.InputJsonObject,
  steps: summaryOf(definition) as unknown as Prisma.InputJsonObject,
  reads: [
    ...new Set([
      ...readsOfDefinition(definition),
      ...definition.steps.flatMap(({ type, config }) => textReadsOfStep(type, config)),
    ]),
  ],
  templateIds: templatesOf(definition),
});

export const definitionFrom = (json: Prisma.JsonValue): WorkflowDefinition =>
  definitionOf(json as unknown as StoredDefinition);

const columnsOfStep = ({ position, config, type, ...step }: DefinedStep) => ({
  ...step,
  type,
  positionX: position.x,
  positionY: position.y,
  config: config as Prisma.InputJsonObject,
  reads: stepDefinition(type).reads(config),
  textReads: textReadsOfStep(type, config),
});

/** Makes the rows of a workflow those of a definition. Only what differs is written. */
export async function writeLive(
  db: Db,
  { id: workflowId, projectId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  before: Pick<WorkflowDefinition, 'steps' | 'transitions'>,
  after: Pick<WorkflowDefinition, 'steps' | 'transitions'>,
): Promise<void> {
  const steps = partsOf(before.steps, after.steps);
  const transitions = partsOf<DefinedTransition>(before.transitions, after.transitions);
  if (transitions.lost.length > 0)
    await db.workflowTransition.deleteMany({ where: { workflowId, id: { in: transitions.lost } } });
  if (steps.lost.length > 0)
    await db.workflowStep.deleteMany({ where: { workflowId, id: { in: steps.lost } } });
  if (steps.added.length > 0)
    await db.workflowStep.createMany({
      data: steps.added.map((step) => ({ ...columnsOfStep(step), projectId, workflowId })),
    });
  for (const step of steps.changed)
    await db.workflowStep.update({ where: { id: step.id }, data: columnsOfStep(step) });
  if (transitions.added.length > 0)
    await db.workflowTransition.createMany({
      data: transitions.added.map((transition) => ({ ...transition, projectId, workflowId })),
    });
  for (const transition of transitions.changed)
    await db.workflowTransition.update({ where: { id: transition.id }, data: transition });
}

function partsOf<Part extends { id: string }>(before: readonly Part[], after: readonly Part[]) {
  const old = new Map(before.map((part) => [part.id, part]));
  const kept = new Set(after.map(({ id }) => id));
  return {
    lost: before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
    added: after.filter(({ id }) => !old.has(id)),
    changed: after.filter((part) => old.has(part.id) && !isSameJson(old.get(part.id), part)),
  };
}

export type DraftRow = Prisma.WorkflowDraftGetPayload<object>;

export const findDraft = (db: Db, projectId: string, workflowId: string): Promise<DraftRow | null> =>
  db.workflowDraft.findFirst({ where: { projectId, workflowId } });

/** Stores the draft of a workflow, over the one that it has. */
export async function writeDraft(
  db: Db,
  { id: workflowId, projectId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  author: ReturnType<typeof authorOf>,
  definition: WorkflowDefinition,
  changes: number,
): Promise<void> {
  const { actorType: authorType, actorId: authorId, keyName } = author;
  const data = { ...columnsOf(definition), changes, authorType, authorId, keyName, updatedAt: new Date() };
  await db.workflowDraft.upsert({
    where: { workflowId },
    create: { ...data, workflowId, projectId },
    update: data,
  });
}

export const countDraftChanges = async (db: Db, workflowId: string, changes: number): Promise<void> => {
  await db.workflowDraft.updateMany({ where: { workflowId }, data: { changes } });
};

/** @returns whether there was one */
export async function removeDraft(db: Db, projectId: string, workflowId: string): Promise<boolean> {
  const { count } = await db.workflowDraft.deleteMany({ where: { projectId, workflowId } });
  return count > 0;
}

/** Every key that a step of the workflow has or has had in a definition that is kept. */
export async function keysOf(db: Db, workflowId: string): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ key: string }[]>(Prisma.sql`
    SELECT "key" FROM "WorkflowStep" WHERE "workflowId" = ${workflowId}::uuid
    UNION SELECT s."value" ->> 'key' FROM "WorkflowVersion" v CROSS JOIN jsonb_each(v."steps") s WHERE v."workflowId" = ${workflowId}::uuid
    UNION SELECT s."value" ->> 'key' FROM "WorkflowDraft" d CROSS JOIN jsonb_each(d."steps") s WHERE d."workflowId" = ${workflowId}::uuid`);
  return new Set(rows.map(({ key }) => key));
}
