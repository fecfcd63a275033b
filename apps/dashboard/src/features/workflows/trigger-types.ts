import type { Workflow } from '../../lib/api.ts';

type TriggerType = Workflow['triggerType'];

export const triggerTypeNames: Readonly<Record<TriggerType, string>> = {
  EVENT: 'Event',
  MANUAL: 'Manual',
  SCHEDULE: 'Schedule',
};

export const triggerMeanings: Readonly<Record<TriggerType, string>> = {
  EVENT: 'Event',
  SCHEDULE: 'Schedule',
  MANUAL: 'Manual',
};

export const triggerTypeOf = (value: string | undefined): TriggerType =>
  value === 'MANUAL' || value === 'SCHEDULE' ? value : 'EVENT';
