import { badRequest, invalid } from '../../base/kernel/index.ts';
import { readSchedule } from './schedule.ts';
import type { TriggerConfigInput } from './workflows.schema.ts';

export type TriggerType = 'EVENT' | 'MANUAL' | 'SCHEDULE';
export type TriggerConfig = Record<string, unknown>;

/** The name and configuration of the TRIGGER step, derived from the workflow's trigger (behaviour B2.6). */
export function triggerName(type: TriggerType, { eventName }: TriggerConfig): string {
  const subject = type === 'EVENT' ? eventName : type.toLowerCase();
  const name = `Trigger: ${typeof subject === 'string' ? subject : 'event'}`.slice(0, 100);
  // A cut within a surrogate pair leaves a character that cannot be stored.
  return name.replace(/[\uD800-\uDBFF]$/, '');
}

export const triggerStepConfig = (type: TriggerType, { eventName }: TriggerConfig): TriggerConfig =>
  type === 'EVENT' && typeof eventName === 'string' ? { eventName } : {};

/** The required fields of a trigger of that type. */
const needed = { EVENT: 'eventName', MANUAL: null, SCHEDULE: 'cron' } as const;

/**
 * A trigger's configuration as stored: only the fields of its type. Required ones may be missing while the workflow
 * is disabled.
 *
 * @param complete whether the caller set the type together with this configuration, so that no required field may be missing
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

/** @throws AppError BAD_REQUEST when this trigger could never start the workflow */
export function assertCanBeEnabled(type: TriggerType, config: TriggerConfig): void {
  const field = needed[type];
  if (field === null || config[field] !== undefined) return;
  throw badRequest(`A workflow with the trigger type ${type} cannot be enabled without ${field}`, {
    suggestion: `Set triggerConfig.${field} first`,
  });
}
