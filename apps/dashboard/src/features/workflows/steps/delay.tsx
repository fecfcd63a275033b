import {
  delayUnits,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { plural } from '../../../lib/format.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { DurationRow } from './duration-row.tsx';
import { oneOf } from './step-input.rules.ts';
import type { StepFieldsProps, StepView } from './step-view.ts';

type Config = StepConfigs['DELAY'];

export const delayView: StepView<Config, StepConfigInputs['DELAY']> = {
  icon: 'clock',
  does: 'Waits for a set time',
  summary: ({ amount, unit }) => amountOf(amount, unit),
  Fields: DelayFields,
  read: (values) => ({
    amount: Number(values['config.amount']),
    unit: oneOf(delayUnits, values['config.unit']),
  }),
  completed: ({ delayAmount, delayUnit }) => `Waited ${amountOf(delayAmount, delayUnit)}`,
  underWay: ({ scheduledFor }, { amount, unit }) =>
    `Waiting ${amountOf(amount, unit)}${scheduledFor ? ', until' : ''}`,
};

function DelayFields({ config: { amount = 1, unit = 'days' } }: StepFieldsProps<Config>) {
  return (
    <DurationRow>
      <TextField
        name="config.amount"
        label="Duration"
        type="number"
        min={1}
        step={1}
        defaultValue={amount}
        required
      />
      <SelectField name="config.unit" label="Unit" defaultValue={unit}>
        {delayUnits.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
    </DurationRow>
  );
}

const amountOf = (amount: unknown, unit: unknown): string =>
  plural(Number(amount), String(unit).replace(/s$/, ''));
