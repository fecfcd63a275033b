import { z } from 'zod';
import { readsOf } from '../../../audience/segments/filters.rules.ts';
import { workflowFilterTree } from '../../../audience/segments/filters.schema.ts';
import { notGiven, requiredName, requiredText } from '../../../base/kernel/schemas.ts';
import {
  type Unit,
  units,
  type ValueOperator,
  type ValueProblem,
  valueOperators,
  valueProblems,
} from '../../../base/lib/value-operators.rules.ts';
import { type Branch, defineStep, type PlacedTree } from './step.rules.ts';

/** The operators on values, as of `data.<key>` in filters. */
export const conditionOperators = valueOperators;
export type ConditionOperator = ValueOperator;

const conditionFields =
  /^(contact\.(email|subscribed|createdAt|updatedAt|topics\.[a-z0-9][a-z0-9_-]{0,49})|(contact\.)?data\..+|(context|event|workflow)\..+)$/s;

/** The key of the topic that a field asks for; null for any other field. */
export const topicOfField = (field: string): string | null =>
  /^contact\.topics\.(.+)$/.exec(field)?.[1] ?? null;

export const conditionField = requiredText(300).refine((field) => conditionFields.test(field), {
  params: { code: 'unsupported_field' },
  message: 'Must be a field of the contact, data.<key>, context.<path>, event.<path> or workflow.<path>',
});

const comparison = {
  operator: z.enum(conditionOperators).describe('The comparison.'),
  value: z
    .unknown()
    .optional()
    .meta({
      description:
        'The value to compare with: a list for `isAnyOf` and `isNoneOf`, 1 to 100 strings for `hasAnyOf`, `hasAllOf` and `hasNoneOf`, a number of units for `within`, `olderThan`, `withinNext` and `laterThan`, a whole number of days for `onDay` and `anniversaryWithinNext`. Not needed by `exists`, `notExists`, `isEmpty` and `isNotEmpty`.',
      examples: ['pro'],
    }),
  unit: notGiven(z.enum(units)).describe(
    'Unit of `value`, required by `within`, `olderThan`, `withinNext` and `laterThan`.',
  ),
};

export interface ConditionComparison {
  operator: ConditionOperator;
  value?: unknown;
  unit?: Unit | undefined;
}

/** null is a value; a missing key is not. */
const problemsOf = (field: string, { operator, ...given }: ConditionComparison): ValueProblem[] =>
  valueProblems(operator, given, /^contact\.(createdAt|updatedAt)$/.test(field));

const describedField = conditionField.meta({
  description:
    'Field to compare: `contact.email`, `contact.subscribed`, `contact.topics.<key>` (whether it receives the topic), `contact.createdAt`, `contact.updatedAt`, `data.<key>`, or `context.<path>`, for which `event.<path>` and `workflow.<path>` are other names.',
  examples: ['data.plan'],
});

const binaryCondition = z
  .object({
    mode: notGiven(z.enum(['binary', 'multi'])).describe(
      '`binary`, which is the default: branches `yes` and `no`.',
    ),
    field: describedField,
    ...comparison,
  })
  .superRefine((condition, ctx) => {
    for (const { path, code, message, input } of problemsOf(condition.field, condition))
      ctx.addIssue({ code: 'custom', path, params: { code }, message, input });
  });

/** The branch of a multi-branch condition when no other branch matches. */
const defaultBranch = 'default';

export const maxBranches = 20;
export const branchName = requiredName(100);

const branch = {
  id: requiredText(100).meta({ description: 'Id of the branch, unique in the step.', examples: ['pro'] }),
  name: branchName.meta({ description: 'Name of the branch.', examples: ['Pro plan'] }),
};

/** What is wrong with the ids of branches. */
const idProblems = (branches: readonly { id: string }[]): ValueProblem[] =>
  branches.flatMap(({ id }, index) => {
    const refused = (message: string): ValueProblem => ({
      path: ['branches', index, 'id'],
      code: 'custom',
      message,
      input: id,
    });
    if (id === defaultBranch) return [refused('The id "default" is reserved')];
    return branches.findIndex((each) => each.id === id) < index ? [refused('Two branches have this id')] : [];
  });

const multiCondition = z
  .object({
    mode: z.literal('multi').describe('`multi`: one branch for each value.'),
    field: describedField,
    branches: z
      .array(
        z.object({
          ...branch,
          ...comparison,
        }),
      )
      .min(1)
      .max(maxBranches)
      .describe('The branches, 1 to 20, tried in order. `default` is taken when none matches.'),
  })
  .superRefine(({ field, branches }, ctx) => {
    const ofBranches = branches.flatMap((each, index) =>
      problemsOf(field, each).map((problem) => ({ ...problem, path: ['branches', index, ...problem.path] })),
    );
    for (const { path, code, message, input } of [...idProblems(branches), ...ofBranches])
      ctx.addIssue({ code: 'custom', path, params: { code }, message, input });
  });

const treeText =
  'Filter tree, as of segments. It may also name what the execution has: `context.<path>`, `step.<key>.<path>` of the output of an earlier step, and `step.<key>.opened` and the like of its email.';

const treeCondition = z.object({
  mode: notGiven(z.enum(['binary', 'multi'])).describe(
    '`binary`, which is the default: branches `yes` and `no`.',
  ),
  condition: workflowFilterTree.describe(treeText),
});

const multiTreeCondition = z
  .object({
    mode: z.literal('multi').describe('`multi`: one branch for each condition.'),
    branches: z
      .array(
        z
          .object({ ...branch, condition: workflowFilterTree.describe(treeText) })
          .meta({ 'x-name': 'TreeBranch' }),
      )
      .min(1)
      .max(maxBranches)
      .describe('The branches, 1 to 20, tried in order. `default` is taken when none matches.'),
  })
  .superRefine(({ branches }, ctx) => {
    for (const { path, code, message, input } of idProblems(branches))
      ctx.addIssue({ code: 'custom', path, params: { code }, message, input });
  });

type FieldMultiCondition = z.output<typeof multiCondition>;
type TreeMultiCondition = z.output<typeof multiTreeCondition>;
type TreeBinaryCondition = z.output<typeof treeCondition>;
export type MultiCondition = FieldMultiCondition | TreeMultiCondition;
/** A condition by a filter tree, or by one for each branch. */
export type TreeCondition = TreeBinaryCondition | TreeMultiCondition;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const isMultiCondition = (config: unknown): config is MultiCondition =>
  isObject(config) && config['mode'] === 'multi';

/** Whether a configuration, which may be of a request, has filter trees in place of a field. */
export function isTreeCondition(config: unknown): config is TreeCondition {
  if (!isObject(config)) return false;
  const { mode, condition, branches } = config;
  if (mode !== 'multi') return condition !== undefined;
  return Array.isArray(branches) && branches.some((each) => isObject(each) && 'condition' in each);
}

/** The trees of a condition, in the order in which they are tried. */
export const treesOf = (config: TreeCondition): PlacedTree[] =>
  'branches' in config
    ? config.branches.map(({ condition }, index) => ({
        path: `branches.${index}.condition`,
        tree: condition,
      }))
    : [{ path: 'condition', tree: config.condition }];

/** Looks at the contact and the execution, and follows the branch that matches. */
export const conditionStep = defineStep({
  type: 'CONDITION',
  label: 'Condition',
  config: z.union([multiCondition, multiTreeCondition, treeCondition, binaryCondition]),
  configFor(given) {
    if (isMultiCondition(given)) return isTreeCondition(given) ? multiTreeCondition : multiCondition;
    return isTreeCondition(given) ? treeCondition : binaryCondition;
  },
  example: { field: 'data.plan', operator: 'equals', value: 'pro' },
  waysOut: {
    kind: 'branches',
    of: (config) =>
      isMultiCondition(config)
        ? [
            ...config.branches.map(({ id, name }: Branch) => ({ id, name })),
            { id: defaultBranch, name: 'none of these' },
          ]
        : [
            { id: 'yes', name: 'yes' },
            { id: 'no', name: 'no' },
          ],
  },
  reads(config) {
    if (isTreeCondition(config)) return [...new Set(treesOf(config).flatMap(({ tree }) => readsOf(tree)))];
    const { field } = config;
    if (/^(workflow|context)\./.test(field)) return [];
    const topic = topicOfField(field);
    return [topic === null ? field.replace(/^contact\./, '') : `topic.${topic}`];
  },
  trees: (config) => (isTreeCondition(config) ? treesOf(config) : []),
  holdsTemplates: false,
});
