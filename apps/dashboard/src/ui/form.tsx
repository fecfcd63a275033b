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
import { invalidControls, problemOf } from './invalid-fields.ts';
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
 * HTML can express (required, email), and the result is shown in the same way.
 */
export function Form({ failure: given, onSubmit, children, label, draft, extra }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [loose, setLoose] = useState<string[]>([]);
  const [attempts, setAttempts] = useState(0);
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({});
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
    const problems = invalidControls(event.currentTarget);
    setInvalid(Object.fromEntries(problems.map((control) => [control.name, problemOf(control)])));
    const [problem] = problems;
    if (problem) return point(event.currentTarget, problem);
    setAttempts((count) => count + 1);
    const entries = [...new FormData(event.currentTarget)];
    onSubmit(
      Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : ''])),
    );
  };
  /** A message goes as soon as its field is corrected; the focus returns from the list of a select after its choice. */
  const recheck = () => {
    if (form.current === null || Object.keys(invalid).length === 0) return;
    const still = new Set(invalidControls(form.current).map(({ name }) => name));
    const left = Object.entries(invalid).filter(([name]) => still.has(name));
    if (left.length < Object.keys(invalid).length) setInvalid(Object.fromEntries(left));
  };
  const showNotice = failure !== null && (Object.keys(failure.fields).length === 0 || loose.length > 0);
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit}
      onInput={recheck}
      onFocus={recheck}
      aria-label={label}
      noValidate
    >
      {draft && <DraftKeeper draft={draft} extra={extra} form={form} />}
      <div ref={notice} tabIndex={-1} className={styles.notice}>
        {showNotice && <FailureNotice failure={withLooseFields(failure, loose)} />}
      </div>
      <FieldFailures value={{ ...failure?.fields, ...invalid }}>{children}</FieldFailures>
    </form>
  );
}

/** Moves the focus to a field that the browser refuses. A control without a place for the message shows the browser's own. */
function point(form: HTMLFormElement, control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement) {
  const field = form.querySelector<HTMLElement>(`[data-field="${CSS.escape(control.name)}"]`);
  if (field === null) {
    control.reportValidity();
    return;
  }
  field.focus();
  field.scrollIntoView({ block: 'center' });
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
