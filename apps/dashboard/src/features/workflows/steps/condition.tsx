import { isListOperator } from '@postrider/core/audience/segments/contract';
import {
  comparesValue,
  conditionOperators,
  isMultiCondition,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { plural } from '../../../lib/format.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { listItems } from '../../common/filters/list-items.rules.ts';
import { ConditionFields } from './condition-fields.tsx';
import { conditionOperatorNames } from './condition-words.ts';
import { branchesOf } from './outlets.rules.ts';
import { indexesOf, oneOf, typedValue } from './step-input.rules.ts';
import type { Json, StepView } from './step-view.ts';

type Config = StepConfigs['CONDITION'];
type Input = StepConfigInputs['CONDITION'];

export const conditionView: StepView<Config, Input> = {
  icon: 'fork',
  does: 'Splits into branches',
  summary(config) {
    if (isMultiCondition(config))
      return `${config.field}: ${plural(config.branches.length + 1, 'branch', 'branches')}`;
    const { field, operator, value } = config;
    return `${field} ${conditionOperatorNames[operator]}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;
  },
  Fields: ConditionFields,
  read,
  completed(output, config) {
    const { branch: taken, operator: given, field, actualValue, expectedValue } = output;
    const branch = branchesOf({ type: 'CONDITION', config }).find(({ id }) => id === taken)?.name ?? taken;
    const found = `was ${shown(actualValue)}, so branch “${branch}” was taken`;
    if (typeof given !== 'string') return `${field} ${found}`;
    const operator = oneOf(conditionOperators, given);
    const expected = comparesValue(operator) ? ` ${shown(expectedValue)}` : '';
    return `Checked whether ${field} ${conditionOperatorNames[operator]}${expected}: it ${found}`;
  },
};

function read(values: FormValues): Input {
  const field = values['config.field'] ?? '';
  if (values.mode !== 'multi') return { field, ...comparisonOf(values, 'config') };
  const branches = indexesOf(values, 'config.branches', 'id').map((index) => ({
    id: values[`config.branches.${index}.id`] ?? '',
    name: values[`config.branches.${index}.name`] ?? '',
    ...comparisonOf(values, `config.branches.${index}`),
  }));
  return { mode: 'multi', field, branches };
}

function comparisonOf(values: FormValues, path: string) {
  const operator = oneOf(conditionOperators, values[`${path}.operator`]);
  if (!comparesValue(operator)) return { operator };
  if (isListOperator(operator)) return { operator, value: listItems(values[`${path}.value`] ?? '') };
  return {
    operator,
    value: typedValue(values[`${path}.type`], values[`${path}.value`] ?? '', `${path}.value`),
  };
}

const shown = (value: Json[string]): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);
