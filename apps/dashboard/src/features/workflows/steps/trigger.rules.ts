import { given } from '../../../lib/given.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { triggerTypeOf } from './trigger-types.ts';

/** Reads the trigger from the fields of a form. */
export function triggerOf(values: FormValues) {
  const triggerType = triggerTypeOf(values.triggerType);
  if (triggerType === 'MANUAL') return { triggerType, triggerConfig: {} };
  if (triggerType === 'EVENT')
    return { triggerType, triggerConfig: { eventName: values['triggerConfig.eventName'] ?? '' } };
  const segmentId = given(values['triggerConfig.segmentId']);
  return {
    triggerType,
    triggerConfig: {
      cron: values['triggerConfig.cron'] ?? '',
      timezone: values['triggerConfig.timezone'] ?? '',
      ...(segmentId !== undefined && { segmentId }),
    },
  };
}
