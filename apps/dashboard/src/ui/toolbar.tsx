import { type ReactNode, useId } from 'react';
import { Icon } from './icon.tsx';
import { Select } from './select.tsx';
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

export const Filter = <Value extends string>({ options, ...rest }: FilterProps<Value>) => (
  <Choice<Value | ''> {...rest} options={[{ value: '', label: 'All' }, ...options]} />
);

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** As a filter, but always one of the options. */
export function Choice<Value extends string>({ label, ...select }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <span className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <Select {...select} id={id} small />
    </span>
  );
}

interface SearchProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function Search({ label, value, onChange }: SearchProps) {
  return (
    <span className={styles.search}>
      <Icon name="search" size={14} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}
