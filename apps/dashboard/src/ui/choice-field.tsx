import { type ReactNode, useId } from 'react';
import styles from './choice-field.module.css';

interface ChoiceFieldProps<Value extends string> {
  name: string;
  /** The question. */
  label: ReactNode;
  options: readonly { value: Value; label: string; note?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of a few answers to a question, each with what it means. Arrow keys go from one to the next. */
export function ChoiceField<Value extends string>({
  name,
  label,
  options,
  value,
  onChange,
}: ChoiceFieldProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={option.note ? `${id}-${option.value}-note` : undefined}
          />
          <span id={`${id}-${option.value}`} className={styles.name}>
            {option.label}
          </span>
          {option.note && (
            <span id={`${id}-${option.value}-note`} className={styles.note}>
              {option.note}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
