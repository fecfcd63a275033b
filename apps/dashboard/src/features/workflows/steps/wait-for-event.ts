import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { durationUnits, durationWords } from './duration.rules.ts';
import type { StepView } from './step-view.ts';
import { WaitFields } from './wait-fields.tsx';

export const waitForEventView: StepView<StepConfigs['WAIT_FOR_EVENT'], StepConfigInputs['WAIT_FOR_EVENT']> = {
  icon: 'ear',
  does: 'Waits until an event occurs',
  summary: ({ eventName, timeout }) =>
    timeout === undefined ? eventName : `${eventName}; timeout after ${durationWords(timeout)}`,
  Fields: WaitFields,
  read: (values) => ({ eventName: values['config.eventName'] ?? '', ...timeoutOf(values) }),
  completed: ({ waitOutcome, eventName }) =>
    waitOutcome === 'EVENT' ? `Received “${eventName}”` : `Timed out waiting for “${eventName}”`,
  underWay: ({ scheduledFor }, { eventName }) =>
    scheduledFor === null
      ? `Waiting for “${eventName}”, with no time limit`
      : `Waiting for “${eventName}” until`,
};

function timeoutOf(values: FormValues): { timeout?: number } {
  const amount = given(values['config.timeout']);
  if (amount === undefined) return {};
  const unit = values.timeoutUnit as keyof typeof durationUnits;
  return { timeout: Number(amount) * (durationUnits[unit] ?? 1) };
}
