import type { StepConfigInputs, StepConfigs, StepType } from '@postrider/core/automation/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { conditionView } from './condition.tsx';
import { delayView } from './delay.tsx';
import { exitView } from './exit.tsx';
import { sendEmailView } from './send-email.ts';
import { splitView } from './split.tsx';
import type { StepView } from './step-view.ts';
import { triggerView } from './trigger.ts';
import { updateContactView } from './update-contact.ts';
import { waitForEventView } from './wait-for-event.ts';
import { webhookView } from './webhook.ts';

const stepViews: { [Type in StepType]: StepView<StepConfigs[Type], StepConfigInputs[Type]> } = {
  TRIGGER: triggerView,
  SEND_EMAIL: sendEmailView,
  DELAY: delayView,
  WAIT_FOR_EVENT: waitForEventView,
  CONDITION: conditionView,
  SPLIT: splitView,
  WEBHOOK: webhookView,
  UPDATE_CONTACT: updateContactView,
  EXIT: exitView,
};

/** The view of a type known only at run time. The API types configurations as any JSON; they were validated on writing. */
export const stepView = (type: StepType): StepView => stepViews[type] as StepView;

/** The input of the step form, as the API accepts it. Fields have the API's names, so that its messages can be mapped to them. */
export interface StepInput {
  type: Exclude<StepType, 'TRIGGER'>;
  name: string;
  config: Record<string, unknown>;
  templateId?: string | null;
}

/** @throws UnreadableField if a field cannot be read as its type */
export const stepInputOf = (type: StepInput['type'], values: FormValues): StepInput => ({
  type,
  name: values.name ?? '',
  config: stepView(type).read(values) as Record<string, unknown>,
  ...(values.templateId !== undefined && { templateId: given(values.templateId) ?? null }),
});
