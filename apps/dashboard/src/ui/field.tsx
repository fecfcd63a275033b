import { Children, type ComponentProps, isValidElement, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { useFieldFailure } from './form.tsx';
import { type Option, Select } from './select.tsx';

export interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  /** An error found while typing; the server's error for the field takes precedence. */
  failure?: string | undefined;
}

/** The label, hint and message around a control, tied to it for screen readers. */
export function useField({ name, label, hint, failure: ofValue }: FieldProps) {
  const id = useId();
  const failure = useFieldFailure(name) ?? ofValue;
  const described = [hint ? `${id}-hint` : '', failure ? `${id}-failure` : ''].filter(Boolean).join(' ');
  const notes = (
    <>
      {failure && (
        <p id={`${id}-failure`} className={styles.failure}>
          {failure}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
  return {
    control: {
      id,
      name,
      /** by which a form finds it, even where the submitted element is another one */
      'data-field': name,
      className: styles.control,
      'aria-invalid': failure ? true : undefined,
      'aria-describedby': described || undefined,
    },
    /** The message and the hint, for a control with a frame of its own. */
    notes,
    frame: (control: ReactNode) => (
      <div className={styles.field}>
        <label htmlFor={id}>{label}</label>
        {control}
        {notes}
      </div>
    ),
  };
}

type Rest<Tag extends 'input' | 'textarea'> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps | 'className'>;

export function TextField({ name, label, hint, failure, ...rest }: Rest<'input'>) {
  const { control, frame } = useField({ name, label, hint, failure });
  return frame(<input type="text" {...rest} {...control} />);
}

interface SelectFieldProps extends FieldProps {
  value?: string | number;
  defaultValue?: string | number;
  onChange?: (event: { target: { value: string } }) => void;
  required?: boolean;
  disabled?: boolean;
  /** The options, as the `<option>` elements of a native select; a `title` is shown below the label in the list. */
  children: ReactNode;
}

export function SelectField({ children, onChange, ...props }: SelectFieldProps) {
  const { name, label, hint, failure, value, defaultValue, ...rest } = props;
  const { control, frame } = useField({ name, label, hint, failure });
  const { className: _, ...field } = control;
  return frame(
    <Select
      {...rest}
      {...field}
      value={value?.toString()}
      defaultValue={defaultValue?.toString()}
      options={optionsOf(children)}
      onChange={(next) => onChange?.({ target: { value: next } })}
    />,
  );
}

/** Reads `<option value="…" title="Note">Label</option>`. */
function optionsOf(children: ReactNode): Option[] {
  return Children.toArray(children).flatMap((child) => {
    if (!isValidElement<ComponentProps<'option'>>(child)) return [];
    const { value, title, children: label } = child.props;
    return [{ value: String(value), label: Children.toArray(label).join(''), note: title }];
  });
}

/** @param code the text is source code: monospaced, without spell checking */
export function TextAreaField({
  name,
  label,
  hint,
  failure,
  code,
  ...rest
}: Rest<'textarea'> & { code?: boolean }) {
  const { control, frame } = useField({ name, label, hint, failure });
  return frame(
    <textarea
      rows={8}
      {...(code ? { spellCheck: false, autoCapitalize: 'off' } : {})}
      {...rest}
      {...control}
      className={`${styles.control} ${code ? styles.code : ''}`}
    />,
  );
}

interface CheckFieldProps extends Omit<FieldProps, 'failure'> {
  defaultChecked?: boolean;
  /** For a box that takes effect at once, outside of a form that saves it. */
  onChange?: (checked: boolean) => void;
}

/** Submits `on` under its name when ticked, and no value otherwise. */
export function CheckField({ name, label, hint, defaultChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        type="checkbox"
        id={id}
        name={name}
        defaultChecked={defaultChecked}
        onChange={({ target }) => onChange?.(target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
