import type { Workflow } from '../../../lib/api.ts';

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

/** The trigger of a workflow in a few words. */
export function triggerWords({
  triggerType,
  triggerConfig,
}: Pick<Workflow, 'triggerType' | 'triggerConfig'>): string {
  const { eventName, cron, timezone } = triggerConfig;
  if (triggerType === 'MANUAL') return 'Started manually';
  if (triggerType === 'SCHEDULE') return cron === undefined ? 'No schedule yet' : `${cron} (${timezone})`;
  return eventName === undefined ? 'No event yet' : `${eventName}`;
}
