import { plural } from '../../../lib/format.ts';

const units = [
  { seconds: 86_400, word: 'day' },
  { seconds: 3_600, word: 'hour' },
  { seconds: 60, word: 'minute' },
] as const;

/** A time in its largest unit: `2 hours`; below a second, `at once`. */
export function timeSpent(seconds: number): string {
  if (seconds < 1) return 'at once';
  const unit = units.find((each) => seconds >= 2 * each.seconds || seconds === each.seconds);
  if (!unit) return plural(Math.round(seconds), 'second');
  return plural(Math.round(seconds / unit.seconds), unit.word);
}
