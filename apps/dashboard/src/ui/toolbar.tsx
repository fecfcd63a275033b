import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

/** Search and filters above a list. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className={styles.toolbar}>{children}</div>
);

interface FilterProps<Value extends string> {
  label: string;
  value: Value | '';
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | '') => void;
}

export function Filter<Value extends string>({ label, value, options, onChange }: FilterProps<Value>) {
  return (
    <label className={styles.filter}>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ target }) =>
          onChange(options.find((option) => option.value === target.value)?.value ?? '')
        }
      >
        <option value="">All</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** As a filter, but always one of the options. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <label className={styles.filter}>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ target }) => onChange(options[target.selectedIndex]?.value ?? value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SearchProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function Search({ label, value, onChange }: SearchProps) {
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
