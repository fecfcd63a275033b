import {
  exitReason,
  type StepConfigInputs,
  type StepConfigs,
} from '@postrider/core/automation/workflows/contract';
import { limitsOf } from '@postrider/core/base/lib/contract';
import { given } from '../../../lib/given.ts';
import { TextField } from '../../../ui/field.tsx';
import type { StepFieldsProps, StepView } from './step-view.ts';

type Config = StepConfigs['EXIT'];

export const exitView: StepView<Config, StepConfigInputs['EXIT']> = {
  icon: 'stop',
  does: 'Ends the workflow',
  summary: ({ reason }) => given(reason) ?? 'No reason given',
  Fields: ExitFields,
  read: (values) => {
    const reason = given(values['config.reason']);
    return reason === undefined ? {} : { reason };
  },
  completed: ({ exitReason: reason }) => (reason === 'exit_step' ? 'Exited' : `Exited: ${reason}`),
};

function ExitFields({ config: { reason = '' } }: StepFieldsProps<Config>) {
  return (
    <TextField
      name="config.reason"
      label="Reason"
      defaultValue={reason}
      {...limitsOf(exitReason)}
      placeholder="exit_step"
      hint="Shown on the execution as the reason it ended."
    />
  );
}
