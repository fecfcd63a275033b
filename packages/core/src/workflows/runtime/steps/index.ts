import type { StepType } from '../../../db/index.ts';
import type { Step } from '../step-result.ts';
import { conditionStep } from './condition-step.ts';
import { delayStep } from './delay-step.ts';
import { exitStep } from './exit-step.ts';
import { sendEmailStep } from './send-email-step.ts';
import { triggerStep } from './trigger-step.ts';
import { updateContactStep } from './update-contact-step.ts';
import { waitStep } from './wait-step.ts';
import { webhookStep } from './webhook-step.ts';

export const steps: Record<StepType, Step> = {
  TRIGGER: triggerStep,
  SEND_EMAIL: sendEmailStep,
  DELAY: delayStep,
  WAIT_FOR_EVENT: waitStep,
  CONDITION: conditionStep,
  WEBHOOK: webhookStep,
  UPDATE_CONTACT: updateContactStep,
  EXIT: exitStep,
};
