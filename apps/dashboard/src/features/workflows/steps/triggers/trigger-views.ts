import {
  type TriggerConfigInput,
  type TriggerType,
  triggerDefinition,
} from '@postrider/core/automation/workflows/contract';
import type { Workflow } from '../../../../lib/api.ts';
import type { FormValues } from '../../../../ui/form.tsx';
import { contactTriggerView } from './contact-trigger.tsx';
import { dateTriggerView } from './date-trigger.tsx';
import { eventTriggerView } from './event-trigger.tsx';
import { manualTriggerView } from './manual-trigger.ts';
import { scheduleTriggerView } from './schedule-trigger.tsx';
import type { TriggerView } from './trigger-view.ts';

type Trigger = Pick<Workflow, 'triggerType' | 'triggerConfig'>;

/** In the order in which they are offered. */
const triggerViews = {
  EVENT: eventTriggerView,
  SCHEDULE: scheduleTriggerView,
  DATE: dateTriggerView,
  CONTACT: contactTriggerView,
  MANUAL: manualTriggerView,
} satisfies { [Type in TriggerType]: TriggerView };

export const triggerView = (type: TriggerType): TriggerView => triggerViews[type];

export const triggerChoices = (Object.keys(triggerViews) as TriggerType[]).map((type) => ({
  type,
  label: triggerDefinition(type).label,
}));

export const isTriggerType = (value: string | undefined): value is TriggerType =>
  value !== undefined && Object.hasOwn(triggerViews, value);

/** The trigger of a workflow in a few words. */
export const triggerWords = ({ triggerType, triggerConfig }: Trigger): string =>
  triggerView(triggerType).summary(triggerConfig);

/** The type of the trigger, with its settings if it has any. */
export const triggerLine = (trigger: Trigger): string => {
  const { label } = triggerDefinition(trigger.triggerType);
  return triggerView(trigger.triggerType).Fields === null ? label : `${label}: ${triggerWords(trigger)}`;
};

/** What a trigger lacks to start the workflow, as a sentence; null if nothing. */
export function missingIn({ triggerType, triggerConfig }: Trigger): string | null {
  const { needed } = triggerDefinition(triggerType);
  if (needed === null || triggerConfig[needed] !== undefined) return null;
  return triggerView(triggerType).missing;
}

/** Reads the trigger from the fields of a form. */
export function triggerOf(values: FormValues): {
  triggerType: TriggerType;
  triggerConfig: Partial<TriggerConfigInput>;
} {
  const { triggerType = '' } = values;
  if (!isTriggerType(triggerType)) throw new Error(`There is no type of trigger called ${triggerType}`);
  return { triggerType, triggerConfig: triggerView(triggerType).read(values) };
}
