import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import type { StepView } from './step-view.ts';
import { triggerWords } from './triggers/trigger-views.ts';

/** Its settings are those of the workflow's trigger, which are edited in another form. */
export const triggerView: StepView<StepConfigs['TRIGGER'], StepConfigInputs['TRIGGER']> = {
  icon: 'event',
  does: 'Starts the workflow',
  summary: (_config, _step, trigger) => triggerWords(trigger),
  Fields: null,
  read: () => ({}),
  completed: ({ eventName }) => (eventName ? `Triggered by “${eventName}”` : 'Started'),
};
