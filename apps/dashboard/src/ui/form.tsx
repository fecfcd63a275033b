import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Failure } from '../lib/failure.ts';
import styles from './form.module.css';
import { FailureNotice } from './notice.tsx';

const FieldFailures = createContext<Readonly<Record<string, string>>>({});

/** The server's message for a field of the enclosing form. */
export const useFieldFailure = (name: string): string | undefined => useContext(FieldFailures)[name];

/** The values of the form's fields by name. Files are not supported. */
export type FormValues = Readonly<Record<string, string>>;

interface FormProps {
  failure: Failure | null;
  onSubmit: (values: FormValues) => void;
  children: ReactNode;
  label?: string;
}

/**
 * Collects its fields on submit and shows the server's errors: messages about a field at the field, all others above
 * the form. Validation rules exist only on the server; the browser checks what HTML can express (required, email).
 */
export function Form({ failure, onSubmit, children, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [loose, setLoose] = useState<string[]>([]);
  useEffect(() => {
    const names = Object.keys(failure?.fields ?? {});
    setLoose(names.filter((name) => !form.current?.elements.namedItem(name)));
    const first = names
      .map((name) => form.current?.elements.namedItem(name))
      .find((field) => field instanceof HTMLElement);
    if (first instanceof HTMLElement) first.focus();
  }, [failure]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)];
    onSubmit(
      Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : ''])),
    );
  };
  const showNotice = failure !== null && (Object.keys(failure.fields).length === 0 || loose.length > 0);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label={label}>
      {showNotice && <FailureNotice failure={withLooseFields(failure, loose)} />}
      <FieldFailures value={failure?.fields ?? {}}>{children}</FieldFailures>
    </form>
  );
}

const withLooseFields = (failure: Failure, names: string[]): Failure =>
  names.length === 0
    ? failure
    : { ...failure, suggestion: names.map((name) => `${name}: ${failure.fields[name]}`).join('; ') };

/** Fields that are shown side by side where there is space. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);

export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
