import { readsOf } from '../../../audience/segments/filters.rules.ts';
import { canonicalJson } from '../../../base/lib/canonical-json.rules.ts';
import { eventsAwaited } from '../awaited-events.rules.ts';
import { type EntryRules, entryOf } from '../entries/entry.rules.ts';
import type { WaitOutcome } from '../steps/step.rules.ts';
import type { StepType } from '../steps/steps.schema.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import type { TriggerConfig } from '../triggers/trigger.rules.ts';
import { type TriggerType, triggerDefinition } from '../triggers/triggers.schema.ts';
import { type ExitRule, readsOfEnds, type WorkflowGoal } from './ends.rules.ts';

/** A definition is what decides what happens to a contact in a workflow (behaviour B14.1): one value, wherever it is kept. */

export interface DefinedStep {
  id: string;
  /** its name in documents and requests, the same in every version */
  key: string;
  type: StepType;
  name: string;
  position: { x: number; y: number };
  config: Record<string, unknown>;
  templateId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface DefinedTransition {
  id: string;
  fromStepId: string;
  toStepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
  priority: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface WorkflowDefinition {
  triggerType: TriggerType;
  triggerConfig: TriggerConfig;
  allowReentry: boolean;
  entry: EntryRules;
  /** of contacts without one of their own; null: that of the project */
  timeZone: string | null;
  goals: WorkflowGoal[];
  exits: ExitRule[];
  /** in the order of creation, the TRIGGER step included */
  steps: DefinedStep[];
  transitions: DefinedTransition[];
}

/** The most bytes of JSON that a definition may have. */
export const definitionLimitBytes = 300_000;

/** What is asked of a definition without reading it, by the id of the step. */
export interface StepSummary {
  key: string;
  name: string;
  type: StepType;
  /** the names of the events that it waits for */
  waits: string[];
}

export const awaitedEvents = ({ type, config }: Pick<DefinedStep, 'type' | 'config'>): string[] =>
  stepDefinition(type).waysOut.kind === 'outcomes'
    ? [...new Set(eventsAwaited(config).map(({ eventName }) => eventName))]
    : [];

export const summaryOf = ({ steps }: Pick<WorkflowDefinition, 'steps'>): Record<string, StepSummary> =>
  Object.fromEntries(
    steps.map((step) => [
      step.id,
      { key: step.key, name: step.name, type: step.type, waits: awaitedEvents(step) },
    ]),
  );

/** What the trigger, the entry rules, goals and exit rules refer to, in the form of the column `reads` of the workflow. */
export const ownReadsOf = ({
  triggerType,
  triggerConfig,
  entry: { filter },
  goals,
  exits,
}: Omit<WorkflowDefinition, 'steps' | 'transitions'>): string[] => [
  ...new Set([
    ...triggerDefinition(triggerType).reads(triggerConfig),
    ...(filter ? readsOf(filter) : []),
    ...readsOfEnds({ goals, exits }),
  ]),
];

/** What all of it refers to, without texts. */
export const readsOfDefinition = ({ steps, ...definition }: WorkflowDefinition): string[] => [
  ...new Set([
    ...ownReadsOf(definition),
    ...steps.flatMap(({ type, config }) => stepDefinition(type).reads(config)),
  ]),
];

export const templatesOf = ({ steps }: Pick<WorkflowDefinition, 'steps'>): string[] => [
  ...new Set(steps.flatMap(({ templateId }) => templateId ?? [])),
];

/** As JSON keeps it. */
export type StoredDefinition = Omit<
  WorkflowDefinition,
  'steps' | 'transitions' | 'entry' | 'timeZone' | 'goals' | 'exits'
> & {
  /** absent in those of earlier releases, as the next ones */
  entry?: EntryRules;
  timeZone?: string | null;
  goals?: WorkflowGoal[];
  exits?: ExitRule[];
  steps: (Omit<DefinedStep, 'createdAt' | 'updatedAt'> & StoredDates)[];
  transitions: (Omit<DefinedTransition, 'createdAt' | 'updatedAt'> & StoredDates)[];
};

interface StoredDates {
  createdAt: string;
  updatedAt: string;
}

const withDates = <Part extends StoredDates>({ createdAt, updatedAt, ...part }: Part) => ({
  ...part,
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

/** One that was stored before it had entry rules lets anybody enter. */
export const definitionOf = ({
  steps,
  transitions,
  goals = [],
  exits = [],
  ...stored
}: StoredDefinition): WorkflowDefinition => ({
  ...stored,
  entry: entryOf(stored.entry),
  timeZone: stored.timeZone ?? null,
  goals,
  exits,
  steps: steps.map(withDates),
  transitions: transitions.map(withDates),
});

/** Whether two values of JSON are equal, in any order of keys. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
