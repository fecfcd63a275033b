import { CronExpressionParser } from 'cron-parser';
import { type FieldError, invalid } from '../../base/kernel/index.ts';
import { timeZoneOf } from '../../base/lib/index.ts';

/** Why a text is not a cron expression of 5 fields that ever fires, or null. */
function cronProblem(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return 'A cron expression has 5 fields';
  // Excludes characters of other dialects, which the scheduler and the parser interpret differently.
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
 * Checks a schedule.
 *
 * @returns its time zone in the scheduler's spelling
 *
 * @throws AppError VALIDATION_ERROR at `triggerConfig.cron` or `triggerConfig.timezone` for an invalid schedule
 */
export function readSchedule({ cron, timezone }: { cron?: string | undefined; timezone: string }): {
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
  return { timezone: zone };
}
