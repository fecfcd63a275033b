/**
 * The time zone of an IANA name, null for an unknown one; offsets such as `+02:00` are not zones. The case of a name
 * (`europe/berlin`) is corrected: Node accepts any case, other programs do not.
 */
export function timeZoneOf(name: string): string | null {
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

/** The offset of a zone from UTC at an instant, in milliseconds: positive east of Greenwich. */
export function offsetsOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return local - Math.floor(at / 1_000) * 1_000;
  };
}

const dayMs = 86_400_000;

/** What clocks and calendars of one zone show. Days are `YYYY-MM-DD`, instants are milliseconds since 1970. */
export interface ZoneClock {
  /** The offset from UTC at an instant, in milliseconds: positive east of Greenwich. */
  offsetAt(at: number): number;
  /** The day of an instant. */
  dayAt(at: number): string;
  /** The first instant of a day; that of the next day for one that the zone skipped. */
  startOf(day: string): number;
  /**
   * The instant at which clocks show a time, given as if it were UTC. A time that is skipped counts from the offset before, of one
   * that occurs twice it is the second, as PostgreSQL reads both.
   */
  instantAt(local: number): number;
  /**
   * The first instant at which clocks show a time, given as if it were UTC: of one that occurs twice the first, and for one that is
   * skipped the moment at which clocks are changed, so the next time that exists.
   */
  firstAt(local: number): number;
  /** What clocks show at an instant, as if it were UTC. */
  localAt(at: number): number;
}

/** Days beyond the years 1 to 9999, as they sort among the others. */
export const beforeAllDays = '';
export const afterAllDays = ':';

const firstDayAt = Date.parse('0001-01-01T00:00:00.000Z');
const endOfDays = Date.parse('9999-12-31T00:00:00.000Z') + dayMs;

/** The day of an instant in UTC. */
export function utcDayAt(at: number): string {
  if (at < firstDayAt) return beforeAllDays;
  return at < endOfDays ? new Date(at).toISOString().slice(0, 10) : afterAllDays;
}

/** The day that is `days` later, or earlier. */
export const addDays = (day: string, days: number): string =>
  day === beforeAllDays || day === afterAllDays
    ? day
    : utcDayAt(Date.parse(`${day}T00:00:00.000Z`) + days * dayMs);

const clocks = new Map<string, ZoneClock>();

/** @param timeZone an IANA name that exists */
export function clockOf(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = makeClock(timeZone === 'UTC' ? () => 0 : withinYears(offsetsOf(timeZone)));
  clocks.set(timeZone, clock);
  return clock;
}

/** The formatter writes years before the first without their sign. */
const withinYears =
  (offsetAt: (at: number) => number) =>
  (at: number): number =>
    offsetAt(Math.min(Math.max(at, firstDayAt + dayMs), endOfDays - dayMs));

function makeClock(offsetAt: (at: number) => number): ZoneClock {
  /** The instants that may show a time: with the offset before a change of clocks, and with that after it. */
  const candidates = (local: number): [before: number, after: number] => [
    local - offsetAt(local - dayMs),
    local - offsetAt(local + dayMs),
  ];
  const shows = (at: number, local: number): boolean => at + offsetAt(at) === local;
  return {
    offsetAt,
    dayAt: (at) => utcDayAt(at + offsetAt(at)),
    startOf(day) {
      if (day === beforeAllDays) return Number.NEGATIVE_INFINITY;
      if (day === afterAllDays) return Number.POSITIVE_INFINITY;
      const midnight = Date.parse(`${day}T00:00:00.000Z`);
      const [before, after] = candidates(midnight);
      return shows(before, midnight) || !shows(after, midnight) ? before : after;
    },
    instantAt(local) {
      const [before, after] = candidates(local);
      return shows(after, local) ? after : before;
    },
    firstAt(local) {
      const [before, after] = candidates(local);
      if (shows(before, local)) return before;
      if (shows(after, local)) return after;
      return changeBetween(after, before);
    },
    localAt: (at) => at + offsetAt(at),
  };

  /** The instant at which the offset changes: `from` is before it, `to` is not. */
  function changeBetween(from: number, to: number): number {
    const offset = offsetAt(to);
    let [before, since] = [from, to];
    while (since - before > 1) {
      const middle = Math.floor((before + since) / 2);
      if (offsetAt(middle) === offset) since = middle;
      else before = middle;
    }
    return since;
  }
}

/** Minutes since midnight, 0 to 1439, that the clocks of a zone show at an instant. @param timeZone an IANA name that exists */
export function clockMinuteOf(timeZone: string): (at: number) => number {
  const { offsetAt } = clockOf(timeZone);
  return (at) => {
    const minutes = Math.floor((at + offsetAt(at)) / 60_000) % 1_440;
    return minutes < 0 ? minutes + 1_440 : minutes;
  };
}
