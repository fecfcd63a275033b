const minuteMs = 60_000;
/** A server that names more is asked again earlier. */
const mostMs = 60 * minuteMs;

const unitMs: Record<string, number> = { s: 1_000, m: minuteMs, h: 60 * minuteMs };

/** "try again in 5 minutes", "retry after 300 seconds", "wait 10 min", "Greylisted for 300 s" */
const inWords =
  /\b(?:in|after|for|wait|within|least)(?: about| another)? (\d{1,5}) ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/i;
/** "come back in 00:04:32" */
const asClock = /\b(?:in|after|for) (\d{1,2}):(\d\d):(\d\d)\b/i;

/** The time after which a temporary refusal asks for the next attempt, at most an hour; null when it names none. */
export function namedDelayMs(text: string): number | null {
  const clock = asClock.exec(text);
  if (clock) {
    const [hours = 0, minutes = 0, seconds = 0] = clock.slice(1).map(Number);
    return Math.min(mostMs, ((hours * 60 + minutes) * 60 + seconds) * 1_000);
  }
  const words = inWords.exec(text);
  if (!words) return null;
  const [, count = '0', unit = 's'] = words;
  return Math.min(mostMs, Number(count) * (unitMs[unit.charAt(0).toLowerCase()] ?? 1_000));
}
