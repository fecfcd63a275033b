import styles from './color-field.module.css';
import { type FieldProps, useField } from './field.tsx';

interface ColorFieldProps extends FieldProps {
  /** `#rrggbb`, or what is typed so far. */
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
}

const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value);

/** A colour, picked or typed. */
export function ColorField({ value, onChange, disabled, ...field }: ColorFieldProps) {
  const { control, frame } = useField(field);
  return frame(
    <div className={styles.color}>
      <input
        type="color"
        className={styles.swatch}
        aria-label={`Pick: ${field.label}`}
        disabled={disabled}
        value={isColor(value) ? value.toLowerCase() : '#ffffff'}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        {...control}
        type="text"
        required
        pattern="#[0-9A-Fa-f]{6}"
        title="A colour such as #22325c"
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        disabled={disabled}
        value={value}
        onChange={({ target }) => onChange(target.value.trim())}
      />
    </div>,
  );
}
