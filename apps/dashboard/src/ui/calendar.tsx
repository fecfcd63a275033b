import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './calendar.module.css';
import { addMonths, type Day, dayAfterKey, dayOf, weeksOf } from './calendar.rules.ts';
import { Icon } from './icon.tsx';

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
const monthName = format({ month: 'long', year: 'numeric' });
const fullName = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortName = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** `November 2026` */
export const monthInWords = (day: Day): string => monthName.format(new Date(day));

/** `Sun, Nov 22, 2026` */
export const dayInWords = (day: Day): string => shortName.format(new Date(day));

interface CalendarProps {
  /** The selected day; empty for none. */
  value: Day;
  /** Earlier days cannot be selected. */
  min?: Day | undefined;
  onChange: (day: Day) => void;
}

/** One month of days. It takes the focus when it appears; arrows move by days and weeks, Page Up and Page Down by months. */
export function Calendar({ value, min = '', onChange }: CalendarProps) {
  const today = dayOf(new Date());
  const [focused, setFocused] = useState<Day>(value || (min > today ? min : today));
  const grid = useRef<HTMLTableElement>(null);
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move of the focus is followed
  useEffect(() => {
    grid.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }, [focused]);
  const move = (event: KeyboardEvent) => {
    const next = dayAfterKey(focused, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    setFocused(next);
  };
  const turn = (months: number) => setFocused(addMonths(focused, months));
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        <Button kind="quiet" small aria-label="Previous month" onClick={() => turn(-1)}>
          <Icon name="back" />
        </Button>
        <strong id={id} aria-live="polite">
          {monthInWords(focused)}
        </strong>
        <Button kind="quiet" small aria-label="Next month" onClick={() => turn(1)}>
          <Icon name="chevron" />
        </Button>
      </div>
      <table ref={grid} aria-labelledby={id} className={styles.grid} onKeyDown={move}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(focused).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    className={styles.day}
                    tabIndex={day === focused ? 0 : -1}
                    aria-label={fullName.format(new Date(day))}
                    aria-pressed={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    aria-disabled={day < min || undefined}
                    data-outside={day.slice(0, 7) !== focused.slice(0, 7) || undefined}
                    onClick={() => {
                      if (day >= min) onChange(day);
                    }}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
