import { badRequest, invalid } from '../../base/kernel/index.ts';
import { dateTriggerOf, keyOfDate } from './entries/occurrence.rules.ts';
import { readSchedule } from './schedule.ts';
import { contactTriggerSources } from './triggers/contact.trigger.ts';
import { type TriggerConfig, textIn } from './triggers/trigger.rules.ts';
import { type TriggerConfigInput, type TriggerType, triggerDefinition } from './triggers/triggers.schema.ts';

/** The name of the TRIGGER step, derived from the workflow's trigger (behaviour B2.6). */
export function triggerName(type: TriggerType, config: TriggerConfig): string {
  const name = `Trigger: ${triggerDefinition(type).subject(config) ?? 'event'}`.slice(0, 100);
  // A cut within a surrogate pair leaves a character that cannot be stored.
  return name.replace(/[\uD800-\uDBFF]$/, '');
}

/** The configuration of the TRIGGER step: the event that starts executions, if one does. */
export function triggerStepConfig(type: TriggerType, config: TriggerConfig): Record<string, unknown> {
  const [eventName] = triggerDefinition(type).events(config);
  return eventName === undefined ? {} : { eventName };
}

/** What a workflow's trigger refers to, in the form of the `reads` columns. */
export const readsOfTrigger = (type: TriggerType, config: TriggerConfig): string[] =>
  triggerDefinition(type).reads(config);

/** The columns by which the database finds the workflows that wait for contacts (follow-contacts.sql). */
export function columnsOfTrigger(
  type: TriggerType,
  config: TriggerConfig,
): { contactSources: string[]; dateField: string | null } {
  const date = type === 'DATE' ? dateTriggerOf(config) : null;
  return {
    contactSources: type === 'CONTACT' ? [...contactTriggerSources(config)] : [],
    dateField: date && keyOfDate(date),
  };
}

/** Checks that need more than a schema. They return the configuration as stored. */
const checks: { readonly [Type in TriggerType]?: (config: TriggerConfig) => TriggerConfig } = {
  SCHEDULE: (config) => {
    const cron = textIn(config, 'cron');
    if (config['filter'] !== undefined && config['segmentId'] !== undefined)
      throw invalid([
        { field: 'triggerConfig.filter', code: 'custom', message: 'Not together with segmentId' },
      ]);
    return { ...config, ...readSchedule({ cron, timezone: textIn(config, 'timezone') ?? 'UTC' }) };
  },
  DATE: (config) => {
    if (config['field'] !== undefined && config['repeat'] === undefined)
      throw invalid([{ field: 'triggerConfig.repeat', code: 'required', message: 'Required' }]);
    return config;
  },
};

/**
 * A trigger's configuration as stored: only the fields of its type. Required ones may be missing while the workflow
 * is disabled.
 *
 * @param complete whether the caller set the type together with this configuration, so that no required field may be missing
 * @throws AppError VALIDATION_ERROR at `triggerConfig.…`
 */
export function readTriggerConfig(
  type: TriggerType,
  given: Partial<TriggerConfigInput>,
  complete: boolean,
): TriggerConfig {
  const { fields, needed, defaults } = triggerDefinition(type);
  const values: TriggerConfig = given;
  if (complete && needed !== null && values[needed] === undefined)
    throw invalid([{ field: `triggerConfig.${needed}`, code: 'required', message: 'Required' }]);
  const config = Object.fromEntries(
    Object.keys(fields)
      .map((field) => [field, values[field] ?? defaults[field]])
      .filter(([, value]) => value !== undefined),
  );
  return checks[type]?.(config) ?? config;
}

/** @throws AppError BAD_REQUEST when this trigger could never start the workflow */
export function assertCanBeEnabled(type: TriggerType, config: TriggerConfig): void {
  const { needed } = triggerDefinition(type);
  if (needed === null || config[needed] !== undefined) return;
  throw badRequest(`A workflow with the trigger type ${type} cannot be enabled without ${needed}`, {
    suggestion: `Set triggerConfig.${needed} first`,
  });
}
