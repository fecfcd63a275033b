import { CommandError } from '../command.ts';

/**
 * Until when the old state may have worked on; null if it has not.
 *
 * @throws CommandError when that is before the time of the data
 */
export function endOfSpan(lostUntil: Date | 'now' | null, now: Date, dataUntil: Date): Date | null {
  const until = lostUntil === 'now' ? now : lostUntil;
  if (until === null || until >= dataUntil) return until;
  throw new CommandError(
    lostUntil === 'now'
      ? `The clock of the server is before the time of the data, which is ${dataUntil.toISOString()}: set it`
      : `--lost-until is before the time of the data, which is ${dataUntil.toISOString()}`,
  );
}
