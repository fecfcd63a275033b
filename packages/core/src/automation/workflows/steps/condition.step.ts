import { z } from 'zod';
import { notGiven, requiredName, requiredText } from '../../../base/kernel/schemas.ts';
import {
  type Unit,
  units,
  type ValueOperator,
  type ValueProblem,
  valueOperators,
  valueProblems,
} from '../../../base/lib/value-operators.rules.ts';
import { defineStep } from './step.rules.ts';

/** The operators on values, as of `data.<key>` in filters. */
export const conditionOperators = valueOperators;
export type ConditionOperator = ValueOperator;

const conditionFields =
  /^(contact\.(email|subscribed|createdAt|updatedAt)|(contact\.)?data\..+|(event|workflow)\..+)$/s;

export const conditionField = requiredText(300).refine((field) => conditionFields.test(field), {
  params: { code: 'unsupported_field' },
  message: 'Must be a field of the contact, data.<key>, event.<path> or workflow.<path>',
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
    'Field to compare: `contact.email`, `contact.subscribed`, `contact.createdAt`, `contact.updatedAt`, `data.<key>`, `event.<path>` or `workflow.<path>`.',
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

const multiCondition = z
  .object({
    mode: z.literal('multi').describe('`multi`: one branch for each value.'),
    field: describedField,
    branches: z
      .array(
        z.object({
          id: requiredText(100).meta({
            description: 'Id of the branch, unique in the step.',
            examples: ['pro'],
          }),
          name: branchName.meta({ description: 'Name of the branch.', examples: ['Pro plan'] }),
          ...comparison,
        }),
      )
      .min(1)
      .max(maxBranches)
      .describe('The branches, 1 to 20, tried in order. `default` is taken when none matches.'),
  })
  .superRefine(({ field, branches }, ctx) => {
    branches.forEach((branch, index) => {
      const refuse = ({ path, code, message, input }: ValueProblem) =>
        ctx.addIssue({
          code: 'custom',
          path: ['branches', index, ...path],
          params: { code },
          message,
          input,
        });
      const refuseId = (message: string) =>
        refuse({ path: ['id'], code: 'custom', message, input: branch.id });
      if (branch.id === defaultBranch) refuseId('The id "default" is reserved');
      if (branches.findIndex(({ id }) => id === branch.id) < index) refuseId('Two branches have this id');
      problemsOf(field, branch).forEach(refuse);
    });
  });

export type MultiCondition = z.output<typeof multiCondition>;

export const isMultiCondition = (config: unknown): config is MultiCondition =>
  typeof config === 'object' && config !== null && (config as { mode?: unknown }).mode === 'multi';

/** Compares a field of the contact or of the execution, and follows the matching branch. */
export const conditionStep = defineStep({
  type: 'CONDITION',
  label: 'Condition',
  config: z.union([multiCondition, binaryCondition]),
  configFor: (given) => (isMultiCondition(given) ? multiCondition : binaryCondition),
  example: { field: 'data.plan', operator: 'equals', value: 'pro' },
  waysOut: {
    kind: 'branches',
    of: (config) =>
      isMultiCondition(config)
        ? [
            ...config.branches.map(({ id, name }) => ({ id, name })),
            { id: defaultBranch, name: 'none of these' },
          ]
        : [
            { id: 'yes', name: 'yes' },
            { id: 'no', name: 'no' },
          ],
  },
  reads: ({ field }) => (field.startsWith('workflow.') ? [] : [field.replace(/^contact\./, '')]),
  holdsTemplates: false,
});
