import type { FilterTree, WhereCondition } from '../../../audience/segments/filters.rules.ts';
import { readsOf } from '../../../audience/segments/filters.rules.ts';

/** What ends an execution, or moves it, wherever it is; and what is measured of it (behaviour B14.6). Part of a definition. */

export const goalEffects = ['MEASURE', 'EXIT', 'JUMP'] as const;
export type GoalEffect = (typeof goalEffects)[number];

export interface WorkflowGoal {
  goalId: string;
  effect: GoalEffect;
  /** where a JUMP goes on */
  toStepKey?: string;
}

export interface EventExit {
  name: string;
  eventName: string;
  where?: WhereCondition[];
}

export interface ConditionExit {
  name: string;
  condition: FilterTree;
}

export type ExitRule = EventExit | ConditionExit;

export interface Ends {
  goals: readonly WorkflowGoal[];
  exits: readonly ExitRule[];
}

export const mostWorkflowGoals = 5;
export const mostExitRules = 10;

export const isEventExit = (rule: ExitRule): rule is EventExit => 'eventName' in rule;

/** Exit rules that are asked before steps with an effect. */
export const conditionExits = ({ exits }: Pick<Ends, 'exits'>): ConditionExit[] =>
  exits.filter((rule): rule is ConditionExit => !isEventExit(rule));

/** The names of the events of exit rules. Those of goals are with the goals. */
export const exitEvents = ({ exits }: Pick<Ends, 'exits'>): string[] =>
  exits.flatMap((rule) => (isEventExit(rule) ? [rule.eventName] : []));

/** What an event does to executions, in the form of the column `ends` of versions. */
export const endKeys = {
  /** by an exit rule */
  event: (name: string): string => `event.${name}`,
  /** it may end or move them */
  effect: (goalId: string): string => `effect.${goalId}`,
  /** it is measured, with whatever effect */
  goal: (goalId: string): string => `goal.${goalId}`,
} as const;

/** By which events a definition is concerned. */
export const endsOf = (ends: Ends): string[] => [
  ...new Set([
    ...exitEvents(ends).map(endKeys.event),
    ...ends.goals.map(({ goalId }) => endKeys.goal(goalId)),
    ...ends.goals.flatMap(({ goalId, effect }) => (effect === 'MEASURE' ? [] : [endKeys.effect(goalId)])),
  ]),
];

/** What goals and exit rules refer to, in the form of the `reads` columns. */
export const readsOfEnds = ({ goals, exits }: Ends): string[] => [
  ...goals.map(({ goalId }) => `goal.${goalId}`),
  ...exits.flatMap((rule) => (isEventExit(rule) ? [`event.${rule.eventName}`] : readsOf(rule.condition))),
];
