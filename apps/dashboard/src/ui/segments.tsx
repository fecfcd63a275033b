import { Icon, type IconName } from './icon.tsx';
import styles from './segments.module.css';

interface Segment<Value extends string> {
  value: Value;
  label: string;
  /** Shown in place of the label, which then is the accessible name. */
  icon?: IconName;
}

interface SegmentsProps<Value extends string> {
  label: string;
  options: readonly Segment<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** A choice of one of a few views, all of them in sight. */
export const Segments = <Value extends string>(props: SegmentsProps<Value>) => (
  <fieldset className={styles.segments} aria-label={props.label} disabled={props.disabled}>
    {props.options.map(({ value, label, icon }) => (
      <button
        key={value}
        type="button"
        aria-pressed={props.value === value}
        aria-label={icon && label}
        title={icon && label}
        onClick={() => props.onChange(value)}
      >
        {icon ? <Icon name={icon} size={14} /> : label}
      </button>
    ))}
  </fieldset>
);
