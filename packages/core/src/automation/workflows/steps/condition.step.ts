import { z } from 'zod';
import { isListOperand, isListOperator, listOperators } from '../../../audience/segments/filters.rules.ts';
import { instantOf, notGiven, requiredName, requiredText } from '../../../base/kernel/schemas.ts';
import { defineStep } from './step.rules.ts';

export const conditionOperators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'exists',
  'notExists',
  ...listOperators,
] as const;

export type ConditionOperator = (typeof conditionOperators)[number];

/** Whether an operator compares with a value. */
export const comparesValue = (operator: ConditionOperator): boolean =>
  operator !== 'exists' && operator !== 'notExists';

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
      description: 'The value to compare with. Not needed by `exists` and `notExists`.',
      examples: ['pro'],
    }),
};

interface Comparison {
  operator: ConditionOperator;
  value?: unknown;
}

/** null is a value; a missing key is not. */
function valueProblem(
  field: string,
  { operator, value }: Comparison,
): { code: string; message: string } | null {
  if (!comparesValue(operator)) return null;
  if (value === undefined) return { code: 'required', message: 'Required' };
  if (isListOperator(operator) && !isListOperand(value))
    return { code: 'invalid_type', message: 'Must be 1 to 100 strings of 1 to 100 characters' };
  if (!/^contact\.(createdAt|updatedAt)$/.test(field)) return null;
  return instantOf(value) ? null : { code: 'invalid_date', message: 'Not a date' };
}

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
    const wrong = valueProblem(condition.field, condition);
    if (!wrong) return;
    const { code, message } = wrong;
    ctx.addIssue({ code: 'custom', path: ['value'], params: { code }, message, input: condition.value });
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
      const refuse = (key: 'id' | 'value', code: string, message: string) =>
        ctx.addIssue({
          code: 'custom',
          path: ['branches', index, key],
          params: { code },
          message,
          input: branch[key],
        });
      if (branch.id === defaultBranch) refuse('id', 'custom', 'The id "default" is reserved');
      if (branches.findIndex(({ id }) => id === branch.id) < index)
        refuse('id', 'custom', 'Two branches have this id');
      const wrong = valueProblem(field, branch);
      if (wrong) refuse('value', wrong.code, wrong.message);
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
