import { useState } from 'react';
import { timePattern } from './calendar.rules.ts';
import date from './date-picker.module.css';
import { DatePicker } from './date-picker.tsx';
import { useField } from './field.tsx';
import { SuggestedField } from './suggested-field.tsx';
import {
  formatInZone,
  readZonedTime,
  wallClockOf,
  type ZonedTime,
  zoneInWords,
  zoneNamed,
  zonesInWords,
} from './zoned-time.rules.ts';
import styles from './zoned-time-field.module.css';

interface ZonedTimeFieldProps {
  name: string;
  label: string;
  defaultValue: Date;
  /** What happens at that time, as a sentence without the time. */
  what: string;
  /** The time zone of the viewer. */
  ownZone: string;
}

/** A day and a time in a chosen time zone, with the instant in words. Submits the instant in ISO 8601, or an empty text without one. */
export function ZonedTimeField({ name, label, defaultValue, what, ownZone }: ZonedTimeFieldProps) {
  const [typed, setTyped] = useState(zoneInWords(ownZone));
  const [{ day, time }, setClock] = useState(() => wallClockOf(defaultValue, ownZone));
  const zone = zoneNamed(typed);
  const read = readZonedTime(day, time, zone);
  const { control, frame } = useField({ name, label, failure: problemOf(read, day, time, typed) });
  const { className, name: _, ...rest } = control;
  return (
    <>
      {frame(
        <div className={date.moment}>
          <DatePicker
            {...rest}
            label={label}
            field={name}
            value={day}
            onChange={(next) => setClock((clock) => ({ ...clock, day: next }))}
            min={wallClockOf(new Date(), zone ?? ownZone).day}
          />
          <input
            type="text"
            className={className}
            aria-label={`${label}: time`}
            inputMode="numeric"
            autoComplete="off"
            required
            pattern={timePattern}
            title="Hours and minutes, such as 14:30"
            placeholder="14:30"
            value={time}
            onChange={({ target }) => setClock((clock) => ({ ...clock, time: target.value }))}
          />
          <input type="hidden" name={name} value={read.kind === 'instant' ? read.at.toISOString() : ''} />
        </div>,
      )}
      <SuggestedField
        name="timeZone"
        label="Time zone"
        suggestions={zonesInWords}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        failure={zone === null ? 'Select a time zone from the list.' : undefined}
        required
      />
      <p className={styles.result} role="status">
        {read.kind === 'instant' && zone !== null && (
          <Result what={what} at={read.at} zone={zone} ownZone={ownZone} />
        )}
        {read.kind === 'instant' && read.isRepeated && (
          <span>This time occurs twice, because the clocks go back. The first one is used.</span>
        )}
      </p>
    </>
  );
}

function Result({ what, at, zone, ownZone }: { what: string; at: Date; zone: string; ownZone: string }) {
  return (
    <>
      <span>
        {what} <strong>{formatInZone(at, zone)}</strong> in {zoneInWords(zone)}.
      </span>
      {zone !== ownZone && (
        <span>
          That is {formatInZone(at, ownZone)} in your time zone, {zoneInWords(ownZone)}.
        </span>
      )}
    </>
  );
}

function problemOf(read: ZonedTime, day: string, time: string, zone: string): string | undefined {
  if (read.kind === 'no-time') return 'Select a day and enter a time such as 14:30.';
  if (read.kind !== 'skipped') return undefined;
  return `${time} does not exist on ${day} in ${zone}, because the clocks go forward. Enter another time.`;
}
