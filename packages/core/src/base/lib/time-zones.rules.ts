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
