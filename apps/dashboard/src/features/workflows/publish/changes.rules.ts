import { definitionOf, differenceOf, stepDefinitions } from '@postrider/core/automation/workflows/contract';
import type { Workflow, WorkflowDefinition, WorkflowStep } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import type { StepMark } from '../canvas/graph-context.ts';
import { outletsOf } from '../steps/outlets.rules.ts';
import { stepView } from '../steps/step-views.ts';
import { triggerLine } from '../steps/triggers/trigger-views.ts';

/** What one definition changes in another, in words: one row for each step, and for what belongs to no step. */
export interface ChangeRow {
  /** unique */
  id: string;
  kind: 'added' | 'removed' | 'changed';
  icon: IconName;
  /** the step, or what else is changed */
  name: string;
  /** key of the step; null for others */
  stepKey: string | null;
  stepId: string | null;
  details: string[];
}

/** In replies, trees and conditions are of any form. */
type Stored = Parameters<typeof definitionOf>[0];

export function changesBetween(before: WorkflowDefinition, after: WorkflowDefinition): ChangeRow[] {
  const changes = differenceOf(definitionOf(before as Stored), definitionOf(after as Stored));
  const of = (definition: WorkflowDefinition, id: string) => definition.steps.find((step) => step.id === id);
  const rows = new Map<string, ChangeRow>();
  for (const { kind, stepId, stepKey, fields } of changes) {
    const step = stepId === null ? undefined : (of(after, stepId) ?? of(before, stepId));
    if (!step) {
      rows.set(kind, { ...rowOf(kind, fields, before, after), stepId: null, stepKey: null });
      continue;
    }
    const row = rows.get(step.id) ?? {
      id: step.id,
      kind: kind === 'added' || kind === 'removed' ? kind : 'changed',
      icon: stepView(step.type).icon,
      name: step.name,
      stepKey,
      stepId,
      details: [],
    };
    const known = of(before, step.id);
    if (kind === 'added') row.details.push(stepInWords(step, after), ...placeInWords(step, after));
    else if (kind === 'removed') row.details.push(stepInWords(step, before));
    else if (kind === 'connected' && row.kind !== 'added')
      row.details.push(...waysInWords(step, before, after));
    else if (kind === 'changed' && known)
      row.details.push(...settingsInWords(known, step, { before, after }, fields));
    rows.set(step.id, row);
  }
  return [...rows.values()].filter(({ kind, details }) => kind !== 'changed' || details.length > 0);
}

/** A change of what belongs to no step. */
function rowOf(
  kind: string,
  fields: readonly string[],
  before: WorkflowDefinition,
  after: WorkflowDefinition,
): Omit<ChangeRow, 'stepId' | 'stepKey'> {
  const row = { id: kind, kind: 'changed', icon: 'settings' } as const;
  if (kind === 'trigger')
    return {
      ...row,
      icon: 'event',
      name: 'Trigger',
      details: [`${triggerLine(before)} → ${triggerLine(after)}`],
    };
  if (kind === 'entry' && fields.length === 1 && fields[0] === 'allowReentry') {
    const words = after.allowReentry
      ? 'Contacts may enter again after finishing'
      : 'Each contact enters only once';
    return { ...row, icon: 'person', name: 'Re-entry', details: [words] };
  }
  if (kind === 'goals')
    return { ...row, icon: 'goal', name: 'Goals', details: [numbers(before.goals, after.goals, 'goal')] };
  if (kind === 'exits')
    return { ...row, name: 'Exit rules', details: [numbers(before.exits, after.exits, 'exit rule')] };
  return {
    ...row,
    icon: 'person',
    name: 'Who enters',
    details: fields.map((each) => entryWords[each] ?? each),
  };
}

const entryWords: Readonly<Record<string, string>> = {
  allowReentry: 'Whether contacts may enter again',
  'entry.filter': 'The filter that contacts must match',
  'entry.limit': 'How often a contact may enter',
  'entry.every': 'How long after its last entry a contact may enter again',
  timeZone: 'The time zone of delays and dates',
};

const numbers = (before: readonly unknown[], after: readonly unknown[], what: string): string =>
  before.length === after.length
    ? `${plural(after.length, what)}, otherwise than before`
    : `${before.length} → ${plural(after.length, what)}`;

/** What a step does: its type, and its settings in one line. */
function stepInWords(step: WorkflowStep, trigger: Pick<Workflow, 'triggerType' | 'triggerConfig'>): string {
  const { label } = stepDefinitions[step.type];
  const summary = stepView(step.type).summary(step.config, step, trigger);
  return summary === label ? label : `${label}: ${summary}`;
}

/** After what a new step comes. */
function placeInWords({ id }: WorkflowStep, { steps, transitions }: WorkflowDefinition): string[] {
  const before = transitions
    .filter(({ toStepId }) => toStepId === id)
    .flatMap(({ fromStepId }) => steps.find((step) => step.id === fromStepId) ?? []);
  return before.length === 0 ? [] : [`After ${before.map(({ name }) => `“${name}”`).join(' and ')}`];
}

function settingsInWords(
  before: WorkflowStep,
  after: WorkflowStep,
  definitions: { before: WorkflowDefinition; after: WorkflowDefinition },
  fields: readonly string[],
): string[] {
  const words = [];
  if (fields.includes('name')) words.push(`Renamed from “${before.name}”`);
  const config = fields
    .filter((field) => field.startsWith('config.'))
    .map((field) => field.slice('config.'.length));
  const [was, is] = [stepInWords(before, definitions.before), stepInWords(after, definitions.after)];
  if (was !== is) words.push(`${was} → ${is}`);
  else if (config.length > 0) words.push(`Settings: ${config.join(', ')}`);
  else if (fields.includes('templateId')) words.push('Another template');
  if (words.length === 0 && fields.includes('position')) words.push('Moved on the canvas');
  return words;
}

/**
 * Where the ways out of a step lead that lead elsewhere. What only follows from a step that is added or removed behind it is told of that step.
 */
function waysInWords(step: WorkflowStep, before: WorkflowDefinition, after: WorkflowDefinition): string[] {
  const former = outletsOf(before.steps.find(({ id }) => id === step.id) ?? step, before.transitions);
  const isIn = ({ steps }: WorkflowDefinition, stepId: string | null) =>
    steps.some(({ id }) => id === stepId);
  const isNew = (stepId: string | null) => stepId !== null && !isIn(before, stepId);
  const isGone = (stepId: string | null) => stepId !== null && !isIn(after, stepId);
  return outletsOf(step, after.transitions).flatMap(({ key, label, transition }) => {
    const target = transition?.toStepId ?? null;
    const last = former.find((outlet) => outlet.key === key)?.transition?.toStepId ?? null;
    if (target === last || isNew(target) || isGone(last)) return [];
    const next = after.steps.find(({ id }) => id === target);
    return [`${label === null ? '' : `${label}: `}${next ? `leads to “${next.name}”` : 'ends here'}`];
  });
}

/** Marks on a canvas for what a draft or a version adds and changes. */
export const marksOfChanges = (rows: readonly ChangeRow[]): Record<string, StepMark[]> =>
  Object.fromEntries(
    rows
      .filter(({ stepId, kind }) => stepId !== null && kind !== 'removed')
      .map(({ stepId, kind, details }) => [
        String(stepId),
        [
          kind === 'added'
            ? { tone: 'good', text: 'new', title: 'Not in the live version' }
            : { tone: 'busy', text: 'changed', title: details.join('; ') },
        ],
      ]),
  );

/** Marks of the same steps beside each other. */
export function joinedMarks(
  ...given: readonly Readonly<Record<string, readonly StepMark[]>>[]
): Record<string, readonly StepMark[]> {
  const joined: Record<string, readonly StepMark[]> = {};
  for (const marks of given)
    for (const [id, own] of Object.entries(marks)) joined[id] = [...(joined[id] ?? []), ...own];
  return joined;
}

/**
 * Where those go on who are at a step that a new definition does not have, unless somebody says otherwise: at the first step behind it that
 * the new one still has. Null where there is none, so that it must be said.
 */
export function nextKept(
  stepKey: string,
  before: WorkflowDefinition,
  after: WorkflowDefinition,
): string | null {
  const kept = new Map(after.steps.map(({ id, key }) => [id, key]));
  const open = before.steps.filter(({ key }) => key === stepKey).map(({ id }) => id);
  const seen = new Set(open);
  for (let id = open.shift(); id !== undefined; id = open.shift()) {
    for (const { fromStepId, toStepId } of before.transitions) {
      if (fromStepId !== id || seen.has(toStepId)) continue;
      const key = kept.get(toStepId);
      if (key !== undefined) return key;
      seen.add(toStepId);
      open.push(toStepId);
    }
  }
  return null;
}
