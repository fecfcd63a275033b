import { z } from 'zod';
import type { TriggerType as StoredTriggerType } from '../../../base/db/index.ts';
import { namedEnum } from '../../../base/kernel/schemas.ts';
import { contactTrigger } from './contact.trigger.ts';
import { dateTrigger } from './date.trigger.ts';
import { eventTrigger } from './event.trigger.ts';
import { manualTrigger } from './manual.trigger.ts';
import { scheduleTrigger } from './schedule.trigger.ts';
import type { TriggerDefinition } from './trigger.rules.ts';

/**
 * Every type of trigger (behaviour B2.6). A type of the database without a definition here does not compile; nor does one here that has
 * no view in the dashboard.
 */
export const triggerDefinitions = {
  EVENT: eventTrigger,
  MANUAL: manualTrigger,
  SCHEDULE: scheduleTrigger,
  DATE: dateTrigger,
  CONTACT: contactTrigger,
} satisfies { [Type in StoredTriggerType]: TriggerDefinition<Type> };

type Definitions = typeof triggerDefinitions;

export type TriggerType = keyof Definitions;

export const triggerTypes = Object.keys(triggerDefinitions) as [TriggerType, ...TriggerType[]];
export const triggerType = namedEnum('TriggerType', triggerTypes);

/** The definition of a type that is only known at run time. */
export const triggerDefinition = (type: TriggerType): TriggerDefinition<TriggerType> =>
  triggerDefinitions[type];

/** A trigger in a request: the fields of every type. The operation, which has the type, decides which of them are missing. */
export const triggerConfigInput = z.object({
  ...eventTrigger.fields,
  ...manualTrigger.fields,
  ...scheduleTrigger.fields,
  ...dateTrigger.fields,
  ...contactTrigger.fields,
});

export type TriggerConfigInput = z.output<typeof triggerConfigInput>;

/** Types whose workflows have a schedule of Temporal. */
export const scheduledTypes = triggerTypes.filter((type) => triggerDefinition(type).isScheduled);
