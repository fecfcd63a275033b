const locale = 'en';
const integer = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });

export const formatCount = (value: number): string => integer.format(value);
/** A number of matches that were counted up to `countTo` only: `10,000+` beyond it. */
export const formatTotal = (total: number, countTo = Number.POSITIVE_INFINITY): string =>
  total > countTo ? `${formatCount(countTo)}+` : formatCount(total);
/** 12,300 as `12.3K`, for axes. */
export const formatCompact = (value: number): string => compact.format(value);
/** @param value percent, not a fraction; anything below 100 is shown as less than 100% */
export const formatPercent = (value: number): string =>
  `${percent.format(value < 100 ? Math.min(value, 99.99) : value)}%`;
export const formatMoment = (iso: string): string => moment.format(new Date(iso));
export const formatMinute = (iso: string): string => minute.format(new Date(iso));
/** `Sunday, November 22, 2026`, in the reader's time zone. */
export const formatDate = (iso: string): string => date.format(new Date(iso));
/** `10:45 PM`, in the reader's time zone. */
export const formatClock = (iso: string): string => clock.format(new Date(iso));
/** @param date a day of UTC, as 2026-03-01 */
export const formatDay = (date: string): string => day.format(new Date(date));

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const weekSeconds = 7 * 86_400;

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `5m ago`, `in 2h`; beyond a week the date, of the future with the time. */
export function formatRelative(iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (seconds >= weekSeconds) return formatMinute(iso);
  if (seconds <= -weekSeconds) return shortDate.format(new Date(iso));
  if (Math.abs(seconds) < 10) return 'just now';
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** A sum of values in a currency. */
export const formatValue = (value: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);

/** A share of a whole in percent; 0 when there is no whole. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100);

/** @param amount in the smallest unit of the currency, as the payment provider gives it */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const kilo = 1_024;

const ratio = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

export const formatRatio = (value: number): string => ratio.format(value);

/** A megabyte has 1,048,576 bytes, as in the settings of the installation and in the limits that the service names. */
export const formatBytes = (bytes: number): string =>
  bytes < kilo * kilo ? `${Math.ceil(bytes / kilo)} kB` : `${formatRatio(bytes / kilo / kilo)} MB`;
