import type { Workflow } from '../../lib/api.ts';

type TriggerType = Workflow['triggerType'];

export const triggerTypeNames: Readonly<Record<TriggerType, string>> = {
  EVENT: 'Event',
  MANUAL: 'By hand',
  SCHEDULE: 'Schedule',
};

export const triggerMeanings: Readonly<Record<TriggerType, string>> = {
  EVENT: 'Whoever does something',
  SCHEDULE: 'Contacts at set times',
  MANUAL: 'Whom somebody starts it for',
};

export const triggerTypeOf = (value: string | undefined): TriggerType =>
  value === 'MANUAL' || value === 'SCHEDULE' ? value : 'EVENT';
