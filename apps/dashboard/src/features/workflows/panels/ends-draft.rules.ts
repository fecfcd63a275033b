import type { FilterTree, WhereCondition } from '@postrider/core/audience/segments/contract';
import type { GoalEffect } from '@postrider/core/automation/workflows/contract';
import {
  type FilterDraft,
  fromCondition,
  isConditionFilled,
  toCondition,
} from '../../common/filters/filter-tree.rules.ts';

/** Goals and exit rules of a workflow while they are edited. */

export interface GoalDraft {
  key: number;
  goalId: string;
  effect: GoalEffect;
  /** of a JUMP */
  toStepKey: string;
}

export interface ExitDraft {
  key: number;
  /** of a condition; that of an event is the event's name where it has no other */
  name: string;
  eventName: string;
  /** conditions on the data of the event */
  where: readonly FilterDraft[];
  /** null: the rule has an event */
  condition: FilterTree | null;
}

export interface EndsDraft {
  goals: readonly GoalDraft[];
  exits: readonly ExitDraft[];
}

interface Stored {
  goals: readonly { goalId: string; effect: GoalEffect; toStepKey?: string | undefined }[];
  exits: readonly {
    name: string;
    eventName?: string | undefined;
    where?: unknown;
    condition?: unknown;
  }[];
}

export const nextKey = (drafts: readonly { key: number }[]): number =>
  Math.max(0, ...drafts.map(({ key }) => key)) + 1;

export const endsOf = ({ goals, exits }: Stored): EndsDraft => ({
  goals: goals.map(({ goalId, effect, toStepKey = '' }, key) => ({ key, goalId, effect, toStepKey })),
  exits: exits.map(({ name, eventName = '', where, condition }, key) => ({
    key,
    name,
    eventName,
    where: Array.isArray(where)
      ? (where as WhereCondition[]).map((each) => fromCondition(each, 'event'))
      : [],
    condition: (condition ?? null) as FilterTree | null,
  })),
});

/** As the API takes them. A rule by an event keeps a name that somebody gave it. */
export const endsInput = ({ goals, exits }: EndsDraft) => ({
  goals: goals.map(({ goalId, effect, toStepKey }) => ({
    goalId,
    effect,
    ...(effect === 'JUMP' ? { toStepKey } : {}),
  })),
  exits: exits.map(({ name, eventName, where, condition }) =>
    condition
      ? { name, condition }
      : {
          name: name.trim() === '' ? eventName.slice(0, 100) : name,
          eventName,
          ...(where.length > 0 ? { where: where.map(toCondition) } : {}),
        },
  ),
});

/** What conditions on data lack, by their fields. */
export const missingIn = ({ exits }: EndsDraft): Record<string, string> =>
  Object.fromEntries(
    exits.flatMap(({ where, condition }, index) =>
      condition
        ? []
        : where.flatMap((draft, at): [string, string][] => {
            const field = `exits.${index}.where.${at}`;
            if (draft.name.trim() === '') return [[`${field}.property`, 'Enter a property']];
            return isConditionFilled(draft) ? [] : [[`${field}.value`, 'Enter a value']];
          }),
    ),
  );
