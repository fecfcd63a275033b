import type { SqlDb, StepStatus } from '../../../base/db/index.ts';
import { type ValueClock, valueFormOf } from '../../../base/lib/index.ts';
import { goalsById, whereOf } from '../../goals/index.ts';
import { isSameJson } from '../definitions/definition.rules.ts';
import { type EventExit, type GoalEffect, isEventExit } from '../definitions/ends.rules.ts';
import type { Definition, Lineage } from '../definitions/read-definitions.store.ts';
import type { EndRule, EndSearch, FoundEnd } from './end-search.store.ts';
import { findEnds } from './end-search.store.ts';

/** What of a claimed execution decides which events end it. */
export interface EndCandidate {
  id: string;
  contactId: string;
  /** the time of the event that started it, or of its start */
  beganAt: Date;
  sourceEventId: string | null;
  /** no set has taken it before */
  isFresh: boolean;
  lineage: Lineage;
}

/**
 * What goals and exit rules find for executions that run one definition. A goal that is only measured is counted where its event is dispatched;
 * it is looked for here once, since an event may have been dispatched while the execution was being stored.
 *
 * @returns what was found of each, in their order; undefined where the definition has none
 */
export async function searchEnds(
  db: SqlDb,
  projectId: string,
  runs: Definition,
  candidates: readonly EndCandidate[],
  clock: ValueClock,
): Promise<FoundEnd[][] | undefined> {
  const isFresh = candidates.some((candidate) => candidate.isFresh);
  const rules = await rulesOf(db, projectId, runs, isFresh);
  if (rules.length === 0) return undefined;
  const searches = candidates.map(
    ({ contactId, sourceEventId: notThis, ...candidate }): EndSearch => ({
      contactId,
      notThis,
      since: rules.map((rule) => sinceOf(rule, candidate)),
    }),
  );
  return findEnds(db, projectId, rules, searches, clock);
}

/** In the order in which they count where two events have one time: exits before jumps. */
export async function rulesOf(
  db: SqlDb,
  projectId: string,
  { goals, exits, steps }: Pick<Definition, 'goals' | 'exits' | 'steps'>,
  measures: boolean,
): Promise<EndRule[]> {
  const wanted = goals.filter(({ effect }) => measures || effect !== 'MEASURE');
  const ids = wanted.map(({ goalId }) => goalId);
  const known = new Map(
    (ids.length === 0 ? [] : await goalsById(db, projectId, ids)).map((goal) => [goal.id, goal]),
  );
  const stepIds = new Map(steps.map(({ key, id }) => [key, id]));
  const withEffect = (effect: GoalEffect): EndRule[] =>
    wanted
      .filter((each) => each.effect === effect)
      .flatMap(({ goalId, toStepKey }) => {
        const goal = known.get(goalId);
        const toStepId = toStepKey === undefined ? null : (stepIds.get(toStepKey) ?? null);
        return goal
          ? { name: goal.name, eventName: goal.eventName, where: whereOf(goal), goal, effect, toStepId }
          : [];
      });
  const byEvent = exits.filter(isEventExit).map(
    ({ name, eventName, where = [] }): EndRule => ({
      ...{ name, eventName, where },
      goal: null,
      effect: 'EXIT',
      toStepId: null,
    }),
  );
  return [...withEffect('EXIT'), ...byEvent, ...withEffect('JUMP'), ...withEffect('MEASURE')];
}

/** Whether it depends on the moment at which an event is looked at. */
export const endsOnTheClock = ({ where }: EndRule): boolean =>
  where.some(({ operator }) => valueFormOf[operator] === 'age' || valueFormOf[operator] === 'days');

/** From the beginning; for those who were moved, from the publish that brought the rule. */
function sinceOf(
  rule: EndRule,
  { beganAt, isFresh, lineage: { versions } }: Pick<EndCandidate, 'beganAt' | 'isFresh' | 'lineage'>,
): Date | null {
  if (rule.effect === 'MEASURE' && !isFresh) return null;
  const without = versions.findLastIndex((version) => !hasRule(version, rule));
  const broughtAt = without < 0 ? null : (versions[without + 1]?.publishedAt ?? null);
  return broughtAt !== null && broughtAt > beganAt ? broughtAt : beganAt;
}

const hasRule = ({ goals, exits }: Definition, { goal, effect, eventName, where }: EndRule): boolean =>
  goal
    ? goals.some((each) => each.goalId === goal.id && each.effect === effect)
    : exits.some((each) => isEventExit(each) && isSameEvent(each, { eventName, where }));

const isSameEvent = (
  { eventName, where = [] }: EventExit,
  other: Pick<EndRule, 'eventName' | 'where'>,
): boolean => eventName === other.eventName && isSameJson(where, other.where);

/** What ended an execution, as its row keeps it. */
export interface EndedBy {
  kind: 'goal' | 'exit';
  name: string;
  goalId?: string;
  eventId?: string;
  at?: string;
}

/** The reason of an exit, and what the row says of it. */
export interface Exit {
  reason: string;
  endedBy: EndedBy;
}

const exitOf = ({ rule: { goal, name }, eventId, at }: FoundEnd): Exit => ({
  reason: goal ? `Goal: ${name}` : name,
  endedBy: {
    kind: goal ? 'goal' : 'exit',
    name,
    ...(goal ? { goalId: goal.id } : {}),
    eventId,
    at: at.toISOString(),
  },
});

/** Where an execution is when it is asked what events mean for it. */
export interface EndingPlace {
  /** the step where it is; null: at the trigger */
  at: string | null;
  /** the row of that step, if it has begun */
  open: { status: StepStatus; scheduledFor: Date | null } | undefined;
  /** whether it has a row of a step */
  hasReached(stepId: string): boolean;
}

/** What events mean for an execution: its end, at once or after the step whose time came before, or another place. */
export type Meaning =
  | { kind: 'exits'; exit: Exit; afterOpenStep: boolean }
  | { kind: 'jumps'; stepId: string; to: FoundEnd }
  | { kind: 'none' };

/** @param found in the order of the rules */
export function meaningOf(found: readonly FoundEnd[], { at, open, hasReached }: EndingPlace): Meaning {
  const end = firstExit(found);
  if (end) {
    const time = open?.scheduledFor ?? null;
    const afterOpenStep =
      time !== null &&
      (open?.status === 'SCHEDULED' || open?.status === 'WAITING') &&
      time.getTime() <= end.at.getTime();
    return { kind: 'exits', exit: exitOf(end), afterOpenStep };
  }
  const to = lastJump(found, (stepId) => stepId === at || hasReached(stepId));
  const stepId = to?.rule.toStepId ?? null;
  return to && stepId !== null ? { kind: 'jumps', stepId, to } : { kind: 'none' };
}

const inTime = (one: FoundEnd, other: FoundEnd): number => one.at.getTime() - other.at.getTime();

/** The earliest exit. They are in the order of the rules, which sorting keeps among those of one time. */
const firstExit = (found: readonly FoundEnd[]): FoundEnd | undefined =>
  found.filter(({ rule }) => rule.effect === 'EXIT').toSorted(inTime)[0];

/** The jump that counts: the last one to a step that was not taken. */
const lastJump = (found: readonly FoundEnd[], isTaken: (stepId: string) => boolean): FoundEnd | undefined =>
  found
    .filter(({ rule: { effect, toStepId } }) => effect === 'JUMP' && toStepId !== null && !isTaken(toStepId))
    .toSorted(inTime)
    .at(-1);
