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

/** The server's message for a field of the form around. */
export const useFieldFailure = (name: string): string | undefined => useContext(FieldFailures)[name];

/** What the form's fields hold, by name. Files have no place here. */
export type FormValues = Readonly<Record<string, string>>;

interface FormProps {
  failure: Failure | null;
  onSubmit: (values: FormValues) => void;
  children: ReactNode;
  label?: string;
}

/**
 * Collects its fields on submit and shows what the server said: messages about a field at the field, everything else above.
 * The rules stand in one place, the server; only what the browser knows by itself (required, e-mail) is checked before.
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

/** Fields that belong beside each other where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);

export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
