import { filtersOf, isCount, readField } from '@postrider/core/audience/segments/contract';
import {
  conditionOperators,
  isMultiCondition,
  isTreeCondition,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { plural } from '../../../lib/format.ts';
import { comparisonInWords } from './comparison.rules.ts';
import { readCondition } from './condition-draft.rules.ts';
import { ConditionFields } from './condition-fields.tsx';
import { branchesOf } from './outlets.rules.ts';
import { type Reason, reasonsInWords } from './reasons.rules.ts';
import { oneOf } from './step-input.rules.ts';
import type { Json, StepView } from './step-view.ts';

type Config = StepConfigs['CONDITION'];
type Input = StepConfigInputs['CONDITION'];

export const conditionView: StepView<Config, Input> = {
  icon: 'fork',
  does: 'Splits into branches',
  summary(config) {
    if (isTreeCondition(config)) {
      if ('branches' in config) return plural(config.branches.length + 1, 'branch', 'branches');
      const [filter, ...more] = filtersOf(config.condition);
      if (!filter) return '';
      const { operator, value, unit } = filter;
      const field = titleOf(filter.field);
      const shown = isCount(operator)
        ? { occurred: 'occurred', notOccurred: 'did not occur' }[operator]
        : comparisonInWords({ operator, value, unit });
      return more.length === 0
        ? `${field} ${shown}`
        : `${field} ${shown}, ${plural(more.length, 'more condition')}`;
    }
    if (isMultiCondition(config))
      return `${config.field}: ${plural(config.branches.length + 1, 'branch', 'branches')}`;
    return `${config.field} ${comparisonInWords(config)}`;
  },
  Fields: ConditionFields,
  read: readCondition,
  completed(output, config) {
    const { branch: taken, operator: given, field, actualValue, expectedValue } = output;
    const branch = branchesOf({ type: 'CONDITION', config }).find(({ id }) => id === taken)?.name ?? taken;
    if (field === undefined) {
      const because = reasonsInWords((output['because'] ?? []) as Reason[]);
      return `Branch “${branch}” was taken${because === '' ? '' : ` because ${because}`}`;
    }
    const found = `was ${shown(actualValue)}, so branch “${branch}” was taken`;
    if (typeof given !== 'string') return `${field} ${found}`;
    const operator = oneOf(conditionOperators, given);
    const unit = 'unit' in config ? config.unit : undefined;
    return `Checked whether ${field} ${comparisonInWords({ operator, value: expectedValue, unit })}: it ${found}`;
  },
};

/** A field in the little room of a node: `crm: response.tier`. */
function titleOf(field: string): string {
  const ref = readField(field);
  if (typeof ref === 'string') return field;
  if (ref.kind === 'step') return `${ref.key}: ${ref.path}`;
  return field.replace(/^(?:data|event)\./, '');
}

const shown = (value: Json[string]): string =>
  value === null || value === undefined ? 'not set' : JSON.stringify(value);
