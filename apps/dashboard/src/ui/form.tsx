import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { atField, type Failure } from '../lib/failure.ts';
import type { FormDraft } from '../lib/use-draft.ts';
import { DraftKeeper, type Extra } from './draft-keeper.tsx';
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
  /** Keeps unsaved work, for forms that take more than a minute to fill in. */
  draft?: FormDraft;
  /** What the form holds besides its fields; only with `draft`. */
  extra?: Extra;
}

/**
 * Collects its fields on submit and shows the server's errors: messages about a field at the field, all others above
 * the form, and moves the focus to the first of them. Validation rules exist only on the server; the browser checks what
 * HTML can express (required, email).
 */
export function Form({ failure: given, onSubmit, children, label, draft, extra }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [loose, setLoose] = useState<string[]>([]);
  const [attempts, setAttempts] = useState(0);
  // Callers may give a new object with the same content on each render; only another failure moves the focus.
  const content = JSON.stringify(given);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compared by content
  const failure = useMemo(() => given && atField(given), [content]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves again when the same input is refused again
  useEffect(() => {
    if (failure === null || form.current === null) return;
    const names = Object.keys(failure.fields);
    const fields = names.map((name) => fieldNamed(form.current, name));
    setLoose(names.filter((_, index) => fields[index] === null));
    const first = fields.find((field) => field !== null) ?? notice.current;
    first?.focus();
    first?.scrollIntoView({ block: 'center' });
  }, [failure, attempts]);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setAttempts((count) => count + 1);
    const entries = [...new FormData(event.currentTarget)];
    onSubmit(
      Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : ''])),
    );
  };
  const showNotice = failure !== null && (Object.keys(failure.fields).length === 0 || loose.length > 0);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label={label}>
      {draft && <DraftKeeper draft={draft} extra={extra} form={form} />}
      <div ref={notice} tabIndex={-1} className={styles.notice}>
        {showNotice && <FailureNotice failure={withLooseFields(failure, loose)} />}
      </div>
      <FieldFailures value={failure?.fields ?? {}}>{children}</FieldFailures>
    </form>
  );
}

/** The control of a field. That of a select or a date is a button beside the element that is submitted. */
function fieldNamed(form: HTMLFormElement | null, name: string): HTMLElement | null {
  const control = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
  const field = control ?? form?.elements.namedItem(name);
  return field instanceof HTMLElement ? field : null;
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
