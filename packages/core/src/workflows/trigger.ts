import { badRequest, invalid } from '../kernel/index.ts';
import { readSchedule } from './schedule.ts';
import type { TriggerConfigInput } from './workflows.schema.ts';

export type TriggerType = 'EVENT' | 'MANUAL' | 'SCHEDULE';
export type TriggerConfig = Record<string, unknown>;

/** The TRIGGER step follows the workflow's trigger: its name and configuration are made from it (behaviour B2.6). */
export function triggerName(type: TriggerType, { eventName }: TriggerConfig): string {
  const subject = type === 'EVENT' ? eventName : type.toLowerCase();
  const name = `Trigger: ${typeof subject === 'string' ? subject : 'event'}`.slice(0, 100);
  // Cut in the middle of a pair, a character cannot be stored.
  return name.replace(/[\uD800-\uDBFF]$/, '');
}

export const triggerStepConfig = (type: TriggerType, { eventName }: TriggerConfig): TriggerConfig =>
  type === 'EVENT' && typeof eventName === 'string' ? { eventName } : {};

/** What a trigger of that type cannot do without. */
const needed = { EVENT: 'eventName', MANUAL: null, SCHEDULE: 'cron' } as const;

/**
 * A trigger's configuration as it is stored: what its type has, and nothing else. Something needed may be missing while the
 * workflow is disabled.
 *
 * @param complete whether the caller chose the type with this configuration, so that nothing may be missing
 * @throws AppError VALIDATION_ERROR at `triggerConfig.…`
 */
export function readTriggerConfig(
  type: TriggerType,
  given: TriggerConfigInput,
  complete: boolean,
): TriggerConfig {
  const field = needed[type];
  if (complete && field !== null && given[field] === undefined) {
    throw invalid([{ field: `triggerConfig.${field}`, code: 'required', message: 'Required' }]);
  }
  if (type === 'MANUAL') return {};
  if (type === 'EVENT') return given.eventName === undefined ? {} : { eventName: given.eventName };
  const { segmentId } = given;
  const { cron, timezone } = readSchedule({ cron: given.cron, timezone: given.timezone ?? 'UTC' });
  return {
    ...(cron === undefined ? {} : { cron }),
    timezone,
    ...(segmentId === undefined ? {} : { segmentId }),
  };
}

/** @throws AppError BAD_REQUEST when a workflow with this trigger could never start by it */
export function assertCanBeEnabled(type: TriggerType, config: TriggerConfig): void {
  const field = needed[type];
  if (field === null || config[field] !== undefined) return;
  throw badRequest(`A workflow with the trigger type ${type} cannot be enabled without ${field}`, {
    suggestion: `Set triggerConfig.${field} first`,
  });
}
