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

interface TextFilterProps {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
}

/** A filter by a whole text, which takes effect with Enter or when the field is left. */
export function TextFilter({ label, value, onChange, ...rest }: TextFilterProps) {
  const id = useId();
  const apply = (text: string) => text.trim() !== value && onChange(text.trim());
  return (
    <span className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        key={value}
        id={id}
        className={styles.text}
        defaultValue={value}
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
      />
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
