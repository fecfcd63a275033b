import type { StepConfigInputs, StepConfigs, StepType } from '@postrider/core/workflows/contract';
import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { conditionView } from './condition.tsx';
import { delayView } from './delay.tsx';
import { exitView } from './exit.tsx';
import { sendEmailView } from './send-email.ts';
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
  WEBHOOK: webhookView,
  UPDATE_CONTACT: updateContactView,
  EXIT: exitView,
};

/** The view of a type that is only known at run time. The API returns configurations as any JSON; they were checked on writing. */
export const stepView = (type: StepType): StepView => stepViews[type] as StepView;

/** What the form of a step says, as the API takes it. The fields have the API's names, so that its messages find them. */
export interface StepInput {
  type: Exclude<StepType, 'TRIGGER'>;
  name: string;
  config: Record<string, unknown>;
  templateId?: string | null;
}

/** @throws UnreadableField where a text is not what its field holds */
export const stepInputOf = (type: StepInput['type'], values: FormValues): StepInput => ({
  type,
  name: values.name ?? '',
  config: stepView(type).read(values) as Record<string, unknown>,
  ...(values.templateId !== undefined && { templateId: given(values.templateId) ?? null }),
});
