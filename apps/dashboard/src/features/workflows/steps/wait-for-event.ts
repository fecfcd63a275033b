import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import { durationWords } from './duration.rules.ts';
import type { Json, StepView } from './step-view.ts';
import { awaitedInWords, readWait } from './wait-draft.rules.ts';
import { WaitFields } from './wait-fields.tsx';

export const waitForEventView: StepView<StepConfigs['WAIT_FOR_EVENT'], StepConfigInputs['WAIT_FOR_EVENT']> = {
  icon: 'ear',
  does: 'Waits until an event occurs',
  summary: (config) =>
    config.timeout === undefined
      ? awaitedInWords(config)
      : `${awaitedInWords(config)}; timeout after ${durationWords(config.timeout)}`,
  Fields: WaitFields,
  read: readWait,
  completed: (output) =>
    output['waitOutcome'] === 'EVENT'
      ? `Received “${output['eventName']}”`
      : `Timed out waiting for ${namesOf(output)}`,
  underWay: ({ scheduledFor }, config) =>
    scheduledFor === null
      ? `Waiting for “${awaitedInWords(config)}”, with no time limit`
      : `Waiting for “${awaitedInWords(config)}” until`,
};

/** The events that did not occur. */
export function namesOf({ eventName, eventNames }: Json): string {
  const names = Array.isArray(eventNames) ? eventNames : [eventName];
  return names.map((name) => `“${name}”`).join(' or ');
}
