import {
  type Filter,
  type FilterTree,
  filtersOf,
  readField as readTreeField,
  stepsReadBy,
} from '../../../audience/segments/filters.rules.ts';
import {
  type DecidingFilter,
  evaluateTrees,
  judgeRows,
  mostReasons,
  type TreeRow,
} from '../../../audience/segments/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import { kindOf, matchesComparison, readField } from '../runtime/condition.rules.ts';
import type { Member } from '../runtime/member.ts';
import {
  type ConditionComparison,
  isMultiCondition,
  isTreeCondition,
  type TreeCondition,
  topicOfField,
  treesOf,
} from './condition.step.ts';
import type { StepConfigs } from './steps.schema.ts';

/** What decided: a filter, or a comparison. */
export interface Reason {
  field: string;
  operator: string;
  /** what it was compared with; null for operators that need nothing */
  expected: unknown;
  /** what was found; null for nothing */
  actual: unknown;
  matches: boolean;
}

/** What a condition says of an execution. */
export interface Evaluated {
  branch: string;
  /** what the step records besides the branch */
  output: Record<string, unknown> & { because: Reason[] };
}

/** Where and when conditions are evaluated. */
export interface EvaluatedAt {
  now: Date;
  /** of the project */
  timeZone: string;
  projectId: string;
  /** the ids of the steps of the definition, by their keys */
  stepIdOf(key: string): string | undefined;
}

export type EvaluatedMember = Pick<Member, 'id' | 'contact' | 'context' | 'outputs'> & {
  /** a clock of its own, in place of that of all; where trees decide */
  now?: Date;
};

/**
 * Evaluates a CONDITION for executions, whose contacts are as the set has them. Trees are decided by the database, in one statement for all.
 *
 * @returns one result for each, in their order
 */
export async function evaluateConditions(
  db: SqlDb,
  members: readonly EvaluatedMember[],
  config: StepConfigs['CONDITION'],
  at: EvaluatedAt,
): Promise<Evaluated[]> {
  if (isTreeCondition(config)) return evaluateTreesOf(db, members, config, at);
  const { field } = config;
  const kind = kindOf(field);
  const clock = { now: at.now, timeZone: at.timeZone };
  const topic = topicOfField(field);
  const received = topic === null ? null : await receiversOf(db, members, topic, at);
  return members.map((member, n) => {
    const actual = received ? received.has(n) : readField(field, member);
    const actualValue = actual ?? null;
    const holds = (comparison: ConditionComparison) => matchesComparison(kind, actual, comparison, clock);
    const reasonOf = (comparison: ConditionComparison, matches: boolean): Reason => ({
      field,
      operator: comparison.operator,
      expected: expectedOf(comparison),
      actual: shortened(actualValue),
      matches,
    });
    if (isMultiCondition(config)) {
      const taken = config.branches.findIndex(holds);
      const failed = config.branches.slice(0, taken < 0 ? undefined : taken);
      const found = config.branches[taken];
      const because = [
        ...(found ? [reasonOf(found, true)] : []),
        ...failed.map((each) => reasonOf(each, false)),
      ];
      return { branch: found?.id ?? 'default', output: { field, actualValue, because } };
    }
    const { operator, value: expectedValue = null } = config;
    const result = holds(config);
    const because = [reasonOf(config, result)];
    return {
      branch: result ? 'yes' : 'no',
      output: { field, operator, expectedValue, actualValue, result, because },
    };
  });
}

/**
 * Which emails that a set writes the trees of a condition look at: what became of them has to be known before the condition is evaluated.
 *
 * @returns whether they look at the email that a step of an execution writes
 */
export function emailsRead(
  config: TreeCondition,
  members: readonly EvaluatedMember[],
  { stepIdOf }: Pick<EvaluatedAt, 'stepIdOf'>,
): (stepId: string, executionId: string) => boolean {
  const keys = treesOf(config).flatMap(({ tree }) => stepsReadBy(tree));
  const steps = new Set(keys.map((key) => stepIdOf(key)));
  const executions = new Set(members.map(({ id }) => id));
  return (stepId, executionId) => steps.has(stepId) && executions.has(executionId);
}

/** The places of those who receive a topic, as filters find them. */
async function receiversOf(
  db: SqlDb,
  members: readonly EvaluatedMember[],
  key: string,
  { now, timeZone, projectId }: EvaluatedAt,
): Promise<Set<number>> {
  const filter: Filter = { field: `topic.${key}`, operator: 'equals', value: true };
  const branches: FilterTree[] = [{ logic: 'AND', groups: [{ filters: [filter] }] }];
  const rows = members.map((member, n) => rowOf(member, n, branches));
  const found = await evaluateTrees(db, { projectId, now, timeZone, branches, rows });
  return new Set([...found].flatMap(([n, branch]) => (branch === null ? [] : [n])));
}

async function evaluateTreesOf(
  db: SqlDb,
  members: readonly EvaluatedMember[],
  config: TreeCondition,
  { now, timeZone, projectId, stepIdOf }: EvaluatedAt,
): Promise<Evaluated[]> {
  const branches = treesOf(config).map(({ tree }) => tree);
  const keys = [...new Set(branches.flatMap(stepsReadBy))];
  // What steps have recorded in this set is not in their rows yet.
  const stored = keys.filter((key) => members.some(({ outputs }) => !outputs?.has(key)));
  const judged = await judgeRows(db, {
    projectId,
    now,
    timeZone,
    branches,
    rows: members.map((member, n) => rowOf(member, n, branches, keys)),
    stepIds: Object.fromEntries(
      stored.flatMap((key) => {
        const id = stepIdOf(key);
        return id === undefined ? [] : [[key, id]];
      }),
    ),
  });
  return members.map((_, n) => {
    const { branch = null, because: deciding = [] } = judged.get(n) ?? {};
    const because = deciding.slice(0, mostReasons).map(reasonOfFilter);
    if (!('branches' in config)) {
      const result = branch !== null;
      return { branch: result ? 'yes' : 'no', output: { result, because } };
    }
    return { branch: config.branches[branch ?? -1]?.id ?? 'default', output: { because } };
  });
}

/** An execution as a row of the statement, with no more of it than the trees look at. */
export function rowOf(
  { id, contact, context, outputs, now }: EvaluatedMember,
  n: number,
  trees: readonly FilterTree[],
  keys: readonly string[] = [...new Set(trees.flatMap(stepsReadBy))],
): TreeRow {
  const { id: contactId, ...person } = contact;
  const kinds = new Set(
    trees.flatMap(filtersOf).map(({ field }) => {
      const ref = readTreeField(field);
      return typeof ref === 'string' ? ref : ref.kind;
    }),
  );
  return {
    ...person,
    n,
    contactId,
    executionId: id,
    ...(now && { at: now }),
    // The condition of a segment may look at data.
    data: kinds.has('data') || kinds.has('segment') ? person.data : {},
    context: kinds.has('context') ? context : {},
    steps: Object.fromEntries(
      keys.flatMap((key) => {
        const output = outputs?.get(key);
        return output ? [[key, output]] : [];
      }),
    ),
  };
}

const reasonOfFilter = ({ filter, matches, actual }: DecidingFilter): Reason => ({
  field: filter.field,
  operator: filter.operator,
  expected: expectedOf(filter),
  actual,
  matches,
});

interface Expected {
  value?: unknown;
  unit?: string | undefined;
  compare?: string;
  times?: unknown;
}

/** What is compared with, as it is told: a number of units is text (`7 days`). */
function expectedOf({ value, unit, times }: Expected): unknown {
  if (value === undefined) return times ?? null;
  return unit === undefined ? shortened(value) : `${String(value)} ${unit}`;
}

/** Characters of a value that is told. */
const longestValue = 500;

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined || text.length <= longestValue
    ? value
    : `${text.slice(0, longestValue - 1).toWellFormed()}…`;
}
