import { useState } from 'react';
import type { Day } from './calendar.rules.ts';
import { Calendar, dayInWords } from './calendar.tsx';
import styles from './date-picker.module.css';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';
import select from './select.module.css';

interface DatePickerProps {
  /** What the date is for: the accessible name, together with the date. */
  label: string;
  /** Empty for no date. */
  value: Day;
  onChange: (day: Day) => void;
  min?: Day | undefined;
  /** Offers to remove the date. */
  optional?: boolean | undefined;
  small?: boolean | undefined;
  className?: string | undefined;
  id?: string | undefined;
  /** The name of the field, for a form that moves the focus to it. */
  field?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** A button with a date that opens a calendar. */
export function DatePicker(props: DatePickerProps) {
  const { label, value, onChange, min, optional, small, className, id, field, ...aria } = props;
  const [open, setOpen] = useState(false);
  const words = value === '' ? 'No date' : dayInWords(value);
  /** A toolbar has no label beside the button. */
  const shown = value === '' && small ? label : words;
  const choose = (day: Day) => {
    onChange(day);
    setOpen(false);
  };
  return (
    <Popover
      label={`Calendar: ${label}`}
      open={open}
      onOpen={setOpen}
      trigger={
        <button
          {...aria}
          type="button"
          id={id}
          data-field={field}
          aria-label={`${label}: ${words}`}
          className={[select.trigger, small && select.small, className].filter(Boolean).join(' ')}
        >
          <span className={value === '' ? `${select.value} ${select.empty}` : select.value}>{shown}</span>
          <Icon name="calendar" size={15} />
        </button>
      }
    >
      <Calendar value={value} min={min} onChange={choose} />
      {optional && value !== '' && (
        <button type="button" className={styles.clear} onClick={() => choose('')}>
          Remove the date
        </button>
      )}
    </Popover>
  );
}
