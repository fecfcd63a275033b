import { useState } from 'react';
import type { Campaign } from '../../lib/api.ts';
import { timePattern } from '../../ui/calendar.rules.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import date from '../../ui/date-picker.module.css';
import { DatePicker } from '../../ui/date-picker.tsx';
import { useField } from '../../ui/field.tsx';
import { wallClockOf } from '../../ui/zoned-time.rules.ts';
import styles from './schedule-campaign.module.css';

type LocalTime = NonNullable<Campaign['localTime']>;

const dayMs = 86_400_000;

/** Nine in the morning of the next day. */
const suggestedClock = (zone: string) => ({
  day: wallClockOf(new Date(Date.now() + dayMs), zone).day,
  time: '09:00',
});

/** What the clocks of each contact show when its email is sent. Submits `localTime`, an empty text while the time is not readable, and `whenPassed`. */
export function LocalTimeFields({ localTime }: { localTime: LocalTime | null }) {
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [{ day, time }, setClock] = useState(() =>
    localTime ? { day: localTime.at.slice(0, 10), time: localTime.at.slice(11) } : suggestedClock(ownZone),
  );
  const [whenPassed, setWhenPassed] = useState<LocalTime['whenPassed']>(localTime?.whenPassed ?? 'NEXT_DAY');
  const isRead = day !== '' && new RegExp(`^${timePattern}$`).test(time.trim());
  const label = 'Date and time of each contact';
  const { control, frame } = useField({
    name: 'localTime',
    label,
    failure: isRead ? undefined : 'Select a day and enter a time such as 14:30.',
  });
  const { className, name, ...rest } = control;
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
            min={wallClockOf(new Date(Date.now() - dayMs), ownZone).day}
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
          <input type="hidden" name={name} value={isRead ? `${day}T${time.trim().padStart(5, '0')}` : ''} />
        </div>,
      )}
      <ChoiceField
        name="whenPassed"
        label="Where this time is over when it starts"
        options={[
          { value: 'NEXT_DAY', label: 'The same time of the next day' },
          { value: 'NOW', label: 'At once' },
        ]}
        value={whenPassed}
        onChange={setWhenPassed}
      />
      <p className={styles.note}>
        The zone of a contact is its field timezone, such as Europe/Berlin, else that of the project. The
        first contacts get it when the time comes in the east of the world, the last ones 26 hours later.
      </p>
    </>
  );
}
