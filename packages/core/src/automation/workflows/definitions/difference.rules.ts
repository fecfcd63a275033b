import { type DefinedStep, isSameJson, type WorkflowDefinition } from './definition.rules.ts';
import { triggerKey } from './step-keys.rules.ts';

export const changeKinds = [
  'added',
  'removed',
  'changed',
  'connected',
  'trigger',
  'entry',
  'goals',
  'exits',
] as const;

/** One difference between two definitions. */
export interface DefinitionChange {
  kind: (typeof changeKinds)[number];
  /** null for what belongs to no step */
  stepKey: string | null;
  stepId: string | null;
  /** what differs, by the names of the API */
  fields: string[];
}

/** What another definition changes: steps in its order, then those that it does not have, then connections, trigger, entry, goals and exits. */
export function differenceOf(before: WorkflowDefinition, after: WorkflowDefinition): DefinitionChange[] {
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const kept = new Set(after.steps.map(({ id }) => id));
  const of = (kind: DefinitionChange['kind'], step: DefinedStep | null, fields: string[] = []) => ({
    kind,
    stepKey: step?.key ?? null,
    stepId: step?.id ?? null,
    fields,
  });
  const trigger = [
    ...(before.triggerType === after.triggerType ? [] : ['triggerType']),
    ...differingKeys(before.triggerConfig, after.triggerConfig).map((key) => `triggerConfig.${key}`),
    ...(before.timeZone === after.timeZone ? [] : ['timeZone']),
  ];
  const entry = [
    ...(before.allowReentry === after.allowReentry ? [] : ['allowReentry']),
    ...differingKeys({ ...before.entry }, { ...after.entry }).map((key) => `entry.${key}`),
  ];
  const [ways, newWays] = [waysOf(before), waysOf(after)];
  return [
    ...after.steps.flatMap((step) => {
      const known = old.get(step.id);
      if (!known) return [of('added', step)];
      const fields = step.key === triggerKey ? [] : changedFields(known, step);
      return fields.length === 0 ? [] : [of('changed', step, fields)];
    }),
    ...before.steps.filter(({ id }) => !kept.has(id)).map((step) => of('removed', step)),
    ...after.steps
      .filter(({ id }) => (ways.get(id) ?? '') !== (newWays.get(id) ?? ''))
      .map((step) => of('connected', step)),
    ...(trigger.length === 0 ? [] : [of('trigger', null, trigger)]),
    ...(entry.length === 0 ? [] : [of('entry', null, entry)]),
    ...(isSameJson(before.goals, after.goals) ? [] : [of('goals', null, ['goals'])]),
    ...(isSameJson(before.exits, after.exits) ? [] : [of('exits', null, ['exits'])]),
  ];
}

function changedFields(before: DefinedStep, after: DefinedStep): string[] {
  return [
    ...(before.name === after.name ? [] : ['name']),
    ...(isSameJson(before.position, after.position) ? [] : ['position']),
    ...differingKeys(before.config, after.config).map((key) => `config.${key}`),
    ...(before.templateId === after.templateId ? [] : ['templateId']),
  ];
}

const differingKeys = (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isSameJson(before[key], after[key]),
  );

/** The ways out of each step as one text: in the order of their evaluation, without their ids. */
function waysOf({ transitions }: WorkflowDefinition): Map<string, string> {
  const ordered = transitions.toSorted((a, b) => a.priority - b.priority);
  const ways = Map.groupBy(ordered, ({ fromStepId }) => fromStepId);
  return new Map(
    [...ways].map(([id, out]) => [
      id,
      JSON.stringify(
        out
          .map(({ branch, waitOutcome, toStepId, priority }) => [branch, waitOutcome, toStepId, priority])
          .toSorted(),
      ),
    ]),
  );
}
