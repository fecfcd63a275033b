import { CronExpressionParser } from 'cron-parser';
import { type FieldError, invalid } from '../kernel/index.ts';

/** Whether the runtime knows a time zone by this IANA name. Offsets such as `+02:00` name no zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Why a text is no cron expression of 5 fields that ever fires, or null. */
function cronProblem(cron: string): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return 'A cron expression has 5 fields';
  // Signs of other dialects that the scheduler reads in another way than the parser does.
  if (!/^[0-9A-Za-z*,\-/\s]+$/.test(cron))
    return 'Only numbers, names, * , - and / can stand in a cron expression';
  try {
    CronExpressionParser.parse(cron, { tz: 'UTC' }).next();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'Not a cron expression';
  }
}

/** Refuses a schedule that cannot be kept. @throws AppError VALIDATION_ERROR at `triggerConfig.cron` or `triggerConfig.timezone` */
export function assertSchedule({ cron, timezone }: { cron?: string | undefined; timezone: string }): void {
  const errors: FieldError[] = [];
  const problem = cron === undefined ? null : cronProblem(cron);
  if (problem) errors.push({ field: 'triggerConfig.cron', code: 'custom', message: problem });
  if (!isTimeZone(timezone))
    errors.push({
      field: 'triggerConfig.timezone',
      code: 'invalid_timezone',
      message: 'Not an IANA time zone',
    });
  if (errors.length > 0) throw invalid(errors);
}
