import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { useFieldFailure } from './form.tsx';

interface FieldProps {
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
  return {
    control: {
      id,
      name,
      className: styles.control,
      'aria-invalid': failure ? true : undefined,
      'aria-describedby': described || undefined,
    },
    frame: (control: ReactNode) => (
      <div className={styles.field}>
        <label htmlFor={id}>{label}</label>
        {control}
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
      </div>
    ),
  };
}

type Rest<Tag extends 'input' | 'select' | 'textarea'> = FieldProps &
  Omit<ComponentProps<Tag>, keyof FieldProps | 'className'>;

export function TextField({ name, label, hint, failure, ...rest }: Rest<'input'>) {
  const { control, frame } = useField({ name, label, hint, failure });
  return frame(<input type="text" {...rest} {...control} />);
}

export function SelectField({ name, label, hint, failure, children, ...rest }: Rest<'select'>) {
  const { control, frame } = useField({ name, label, hint, failure });
  return frame(
    <select {...rest} {...control}>
      {children}
    </select>,
  );
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
}

/** Submits `on` under its name when ticked, and no value otherwise. */
export function CheckField({ name, label, hint, defaultChecked }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input
        type="checkbox"
        id={id}
        name={name}
        defaultChecked={defaultChecked}
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
