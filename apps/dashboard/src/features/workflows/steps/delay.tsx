import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { amountOf, delayInWords, readDelay } from './delay.rules.ts';
import { DelayFields } from './delay-fields.tsx';
import type { StepView } from './step-view.ts';

type Config = StepConfigs['DELAY'];

export const delayView: StepView<Config, StepConfigInputs['DELAY']> = {
  icon: 'clock',
  does: 'Waits for a time, a date or an hour of the week',
  summary: delayInWords,
  Fields: DelayFields,
  read: readDelay,
  completed: ({ delayAmount, delayUnit, reason }) => {
    if (reason === 'otherwise') return 'Found no date ahead';
    if (reason === 'until') return 'Waited until the date';
    if (reason === 'window') return 'Waited for the next window';
    return `Waited ${amountOf(delayAmount, delayUnit)}`;
  },
  underWay({ scheduledFor }, config) {
    // Settings are not known until they are loaded.
    const words = delayInWords(config);
    if (words === '') return scheduledFor ? 'Waiting until' : 'Waiting';
    return `Waiting ${words}${scheduledFor ? ', until' : ''}`;
  },
};
