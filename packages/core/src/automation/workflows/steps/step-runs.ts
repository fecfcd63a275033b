import type { StepRun } from '../runtime/step-run.ts';
import { conditionRun } from './condition.run.ts';
import { delayRun } from './delay.run.ts';
import { exitRun } from './exit.run.ts';
import { sendEmailRun } from './send-email.run.ts';
import { splitRun } from './split.run.ts';
import type { StepConfigs, StepType } from './steps.schema.ts';
import { triggerRun } from './trigger.run.ts';
import { updateContactRun } from './update-contact.run.ts';
import { waitForEventRun } from './wait-for-event.run.ts';
import { webhookRun } from './webhook.run.ts';

const stepRuns: { [Type in StepType]: StepRun<StepConfigs[Type]> } = {
  TRIGGER: triggerRun,
  SEND_EMAIL: sendEmailRun,
  DELAY: delayRun,
  WAIT_FOR_EVENT: waitForEventRun,
  CONDITION: conditionRun,
  SPLIT: splitRun,
  WEBHOOK: webhookRun,
  UPDATE_CONTACT: updateContactRun,
  EXIT: exitRun,
};

/** The behaviour of a step whose type is only known at run time. Its configuration was validated when it was written. */
export const stepRun = (type: StepType): StepRun => stepRuns[type] as StepRun;
