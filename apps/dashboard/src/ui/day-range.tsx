import { DatePicker } from './date-picker.tsx';

/** Filters a list by the days from one to another; either can be left out. */
export function DayRange({
  from,
  to,
  onChange,
}: {
  from: string;
  to: string;
  onChange: (end: 'from' | 'to', day: string) => void;
}) {
  return (
    <>
      <DatePicker small optional label="From" value={from} onChange={(day) => onChange('from', day)} />
      <DatePicker
        small
        optional
        label="To"
        value={to}
        {...(from && { min: from })}
        onChange={(day) => onChange('to', day)}
      />
    </>
  );
}
