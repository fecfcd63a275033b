import { CronExpressionParser } from 'cron-parser';
import { type FieldError, invalid } from '../kernel/index.ts';

/**
 * The time zone of an IANA name, null when there is none of it; offsets such as `+02:00` name no zone. A name in other letters
 * (`europe/berlin`) is put right: the runtime reads it, the scheduler would not.
 */
function timeZoneOf(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    const isWellSpelt = name.split('/').every((part) => /^[A-Z]/.test(part));
    return isWellSpelt && timeZone.toLowerCase() !== name.toLowerCase() ? name : timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Why a text is no cron expression of 5 fields that ever fires, or null. */
function cronProblem(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return 'A cron expression has 5 fields';
  // Signs of other dialects that the scheduler reads in another way than the parser does.
  if (!/^[0-9A-Za-z*,\-/\s]+$/.test(cron))
    return 'A cron expression can only contain numbers, names, *, commas, hyphens and slashes';
  try {
    CronExpressionParser.parse(cron, { tz: 'UTC' }).next();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'Not a cron expression';
  }
}

/**
 * A schedule with its time zone as the scheduler spells it.
 *
 * @throws AppError VALIDATION_ERROR at `triggerConfig.cron` or `triggerConfig.timezone` for one that cannot be kept
 */
export function readSchedule({ cron, timezone }: { cron?: string | undefined; timezone: string }): {
  cron?: string | undefined;
  timezone: string;
} {
  const errors: FieldError[] = [];
  const problem = cron === undefined ? null : cronProblem(cron);
  if (problem) errors.push({ field: 'triggerConfig.cron', code: 'custom', message: problem });
  const zone = timeZoneOf(timezone);
  if (zone === null)
    errors.push({
      field: 'triggerConfig.timezone',
      code: 'invalid_timezone',
      message: 'Not an IANA time zone',
    });
  if (errors.length > 0 || zone === null) throw invalid(errors);
  return { cron, timezone: zone };
}
