import {
  conditionOperators,
  isMultiCondition,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { plural } from '../../../lib/format.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { comparisonInWords, readComparison } from './comparison.rules.ts';
import { ConditionFields } from './condition-fields.tsx';
import { branchesOf } from './outlets.rules.ts';
import { indexesOf, oneOf } from './step-input.rules.ts';
import type { Json, StepView } from './step-view.ts';

type Config = StepConfigs['CONDITION'];
type Input = StepConfigInputs['CONDITION'];

export const conditionView: StepView<Config, Input> = {
  icon: 'fork',
  does: 'Splits into branches',
  summary(config) {
    if (isMultiCondition(config))
      return `${config.field}: ${plural(config.branches.length + 1, 'branch', 'branches')}`;
    return `${config.field} ${comparisonInWords(config)}`;
  },
  Fields: ConditionFields,
  read,
  completed(output, config) {
    const { branch: taken, operator: given, field, actualValue, expectedValue } = output;
    const branch = branchesOf({ type: 'CONDITION', config }).find(({ id }) => id === taken)?.name ?? taken;
    const found = `was ${shown(actualValue)}, so branch “${branch}” was taken`;
    if (typeof given !== 'string') return `${field} ${found}`;
    const operator = oneOf(conditionOperators, given);
    const unit = 'unit' in config ? config.unit : undefined;
    return `Checked whether ${field} ${comparisonInWords({ operator, value: expectedValue, unit })}: it ${found}`;
  },
};

function read(values: FormValues): Input {
  const field = values['config.field'] ?? '';
  if (values.mode !== 'multi') return { field, ...readComparison(values, 'config') };
  const branches = indexesOf(values, 'config.branches', 'id').map((index) => ({
    id: values[`config.branches.${index}.id`] ?? '',
    name: values[`config.branches.${index}.name`] ?? '',
    ...readComparison(values, `config.branches.${index}`),
  }));
  return { mode: 'multi', field, branches };
}

const shown = (value: Json[string]): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);
