import type { z } from 'zod';
import type { StepType as StoredStepType } from '../../../base/db/index.ts';
import { namedEnum } from '../../../base/kernel/schemas.ts';
import { conditionStep } from './condition.step.ts';
import { delayStep } from './delay.step.ts';
import { exitStep } from './exit.step.ts';
import { sendEmailStep } from './send-email.step.ts';
import { splitStep } from './split.step.ts';
import type { StepDefinition, StoredConfig } from './step.rules.ts';
import { triggerStep } from './trigger.step.ts';
import { updateContactStep } from './update-contact.step.ts';
import { waitForEventStep } from './wait-for-event.step.ts';
import { webhookStep } from './webhook.step.ts';

/**
 * Every type of step (behaviour B2.7). A type of the database without a definition here does not compile; nor does one here that
 * has no `run` in `step-runs.ts` or no form in the dashboard.
 */
export const stepDefinitions = {
  TRIGGER: triggerStep,
  SEND_EMAIL: sendEmailStep,
  DELAY: delayStep,
  WAIT_FOR_EVENT: waitForEventStep,
  CONDITION: conditionStep,
  SPLIT: splitStep,
  WEBHOOK: webhookStep,
  UPDATE_CONTACT: updateContactStep,
  EXIT: exitStep,
} satisfies { [Type in StoredStepType]: StepDefinition<Type> };

type Definitions = typeof stepDefinitions;

export type StepType = keyof Definitions;

export const stepTypes = Object.keys(stepDefinitions) as [StepType, ...StepType[]];
export const stepType = namedEnum('StepType', stepTypes);

/** The stored `config` of each type of step. */
export type StepConfigs = { [Type in StepType]: StoredConfig<Definitions[Type]> };

/** The definition of a type that is only known at run time. */
export const stepDefinition = (type: StepType): StepDefinition<StepType> => stepDefinitions[type];

/** The schema of a step's `config` in a request. */
export function stepConfigSchema(type: StepType, given: unknown): z.ZodType<Record<string, unknown>> {
  const definition = stepDefinition(type);
  return (definition.configFor?.(given) ?? definition.config) as z.ZodType<Record<string, unknown>>;
}

/** The `config` of each type in a request. */
export type StepConfigInputs = { [Type in StepType]: z.input<Definitions[Type]['config']> };
