import { useState } from 'react';
import { dayOf, instantOf, timeOfDay, timePattern } from './calendar.rules.ts';
import styles from './date-picker.module.css';
import { DatePicker } from './date-picker.tsx';
import { type FieldProps, useField } from './field.tsx';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Submits a day as `2026-03-01`, or an empty text. */
export function DateField({ defaultValue = '', ...field }: FieldProps & { defaultValue?: string }) {
  const [day, setDay] = useState(defaultValue);
  const { control, frame } = useField(field);
  const { name, className: _, ...rest } = control;
  return frame(
    <>
      <DatePicker {...rest} label={field.label} field={name} value={day} onChange={setDay} optional />
      <input type="hidden" name={name} value={day} />
    </>,
  );
}

interface MomentFieldProps extends FieldProps {
  defaultValue: Date;
}

/** A day and a time in the time zone of the browser. Submits the instant in ISO 8601, or an empty text while the time is not readable. */
export function MomentField({ defaultValue, hint, ...field }: MomentFieldProps) {
  const [day, setDay] = useState(() => dayOf(defaultValue));
  const [time, setTime] = useState(() => timeOfDay(defaultValue));
  const instant = instantOf(day, time);
  const { control, frame } = useField({
    ...field,
    hint: (
      <>
        In your time zone, {zone}. {hint}
      </>
    ),
  });
  const { name, className, ...rest } = control;
  return frame(
    <div className={styles.moment}>
      <DatePicker {...rest} label={field.label} field={name} value={day} onChange={setDay} />
      <input
        type="text"
        className={className}
        aria-label={`${field.label}: time`}
        inputMode="numeric"
        autoComplete="off"
        required
        pattern={timePattern}
        title="Hours and minutes, such as 14:30"
        placeholder="14:30"
        value={time}
        onChange={({ target }) => setTime(target.value)}
      />
      <input type="hidden" name={name} value={instant?.toISOString() ?? ''} />
    </div>,
  );
}
