import { Select as Base } from '@base-ui/react/select';
import { useState } from 'react';
import { Icon } from './icon.tsx';
import popup from './popup.module.css';
import styles from './select.module.css';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
  /** What the option means, below its label in the list. */
  note?: string | undefined;
}

interface SelectProps<Value extends string> {
  options: readonly Option<Value>[];
  /** Controlled. Without it and without `defaultValue`, the first option is selected, as in a native select. */
  value?: Value | undefined;
  defaultValue?: Value | undefined;
  onChange?: ((value: Value) => void) | undefined;
  /** The value is submitted under this name. */
  name?: string | undefined;
  /** An option other than the empty one must be selected. */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  /** As high as the controls of a toolbar, and as wide as its text. */
  small?: boolean | undefined;
  className?: string | undefined;
  id?: string | undefined;
  'aria-label'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** One of a few options. Arrow keys and the first letters of an option select it. */
export function Select<Value extends string>({
  options,
  value,
  defaultValue,
  onChange,
  name,
  required,
  disabled,
  small,
  className,
  id,
  ...aria
}: SelectProps<Value>) {
  // The value that it begins with stays the same when options are loaded later.
  const [initial] = useState(defaultValue ?? options[0]?.value ?? null);
  return (
    <Base.Root<Value>
      items={options}
      {...(value === undefined ? { defaultValue: initial } : { value })}
      onValueChange={(next) => {
        if (next !== null) onChange?.(next);
      }}
      name={name}
      id={id}
      required={required}
      disabled={disabled}
      modal={false}
    >
      <Base.Trigger
        {...aria}
        data-field={name}
        className={[styles.trigger, small && styles.small, className].filter(Boolean).join(' ')}
      >
        <Base.Value className={(state) => `${styles.value} ${state.value ? '' : styles.empty}`} />
        <Icon name="updown" size={14} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          className={popup.positioner}
          sideOffset={4}
          align="start"
          alignItemWithTrigger={false}
        >
          <Base.Popup className={popup.popup}>
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} className={popup.item}>
                <span>
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.note && <span className={popup.note}>{option.note}</span>}
                </span>
                <Base.ItemIndicator>
                  <Icon name="check" size={14} />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
