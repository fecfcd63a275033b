import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import type { FormValues } from '../../../ui/form.tsx';
import { SplitFields } from './split-fields.tsx';
import { indexesOf } from './step-input.rules.ts';
import type { StepView } from './step-view.ts';

type Config = StepConfigs['SPLIT'];
type Input = StepConfigInputs['SPLIT'];

export const splitView: StepView<Config, Input> = {
  icon: 'percent',
  does: 'Sends shares of the contacts different ways',
  summary: ({ branches }) => branches.map(({ name, percent }) => `${percent} % ${name}`).join(', '),
  Fields: SplitFields,
  read,
  completed({ branch }, { branches = [] }) {
    const name = branches.find(({ id }) => id === branch)?.name ?? branch;
    return `Drew branch “${name}”`;
  },
};

function read(values: FormValues): Input {
  const branches = indexesOf(values, 'config.branches', 'id').map((index) => ({
    id: values[`config.branches.${index}.id`] ?? '',
    name: values[`config.branches.${index}.name`] ?? '',
    percent: Number(values[`config.branches.${index}.percent`]),
  }));
  const holdout = values['config.holdout'] ?? '';
  // A branch that was chosen and then removed is none.
  return { branches, ...(branches.some(({ id }) => id === holdout) && { holdout }) };
}
