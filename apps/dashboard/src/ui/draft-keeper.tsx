import { type RefObject, useEffect, useRef } from 'react';
import { type Draft, isSame, readValues } from '../lib/draft.rules.ts';
import type { FormDraft } from '../lib/use-draft.ts';
import { Button } from './button.tsx';
import { fillForm } from './fill-form.ts';
import { Notice } from './notice.tsx';
import { Ago } from './time.tsx';

/** What a form holds besides its fields, such as a filter. */
export interface Extra {
  /** Can be written as JSON. */
  value: unknown;
  restore: (value: unknown) => void;
}

interface DraftKeeperProps {
  draft: FormDraft;
  extra: Extra | undefined;
  form: RefObject<HTMLFormElement | null>;
}

const pauseMs = 400;
const events = ['input', 'change', 'click', 'keyup', 'focusout'] as const;

/**
 * Stores what is typed into the form around it, and offers to restore what was stored before. Lists of selects are outside
 * of the form in the document, so it listens to the whole document and compares the form with its saved values.
 */
export function DraftKeeper({ draft, extra, form }: DraftKeeperProps) {
  const saved = useRef<Omit<Draft, 'at'> | null>(null);
  const value = useRef(extra?.value ?? null);
  value.current = extra?.value ?? null;
  const { store, clear, saves } = draft;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save makes the values of that moment the saved ones
  useEffect(() => {
    saved.current = form.current && contentOf(form.current, value.current);
  }, [form, saves]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const compare = () => {
      clearTimeout(timer);
      timer = undefined;
      if (form.current === null || saved.current === null) return;
      const now = contentOf(form.current, value.current);
      if (isSame(now, saved.current)) clear();
      else store(now);
    };
    let isTouched = false;
    const note = (event: Event) => {
      const isInside = event.target instanceof Element && belongsTo(form.current, event.target);
      isTouched ||= isInside;
      if (!isTouched) return;
      // An event outside of the form may leave the page before the pause is over.
      if (!isInside && timer !== undefined) compare();
      timer ??= setTimeout(compare, pauseMs);
    };
    for (const event of events) document.addEventListener(event, note, { capture: true, passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, note, { capture: true });
      clearTimeout(timer);
    };
  }, [form, store, clear]);

  if (draft.stored === null) return null;
  const { stored } = draft;
  return (
    <Notice
      tone="busy"
      title={
        <>
          You have unsaved changes from <Ago at={new Date(stored.at).toISOString()} />
        </>
      }
      action={
        <>
          <Button
            small
            onClick={() => {
              if (form.current) fillForm(form.current, stored.values);
              extra?.restore(stored.extra);
              draft.settle();
            }}
          >
            Restore
          </Button>
          <Button
            small
            kind="quiet"
            onClick={() => {
              draft.clear();
              draft.settle();
            }}
          >
            Discard
          </Button>
        </>
      }
    />
  );
}

/** An editor that a form opens over the page is outside of it in the document. */
const belongsTo = (form: HTMLFormElement | null, element: Element): boolean =>
  Boolean(form?.contains(element)) || element.closest('[data-of-form]') !== null;

const contentOf = (form: HTMLFormElement, extra: unknown): Omit<Draft, 'at'> => ({
  values: readValues(new FormData(form)),
  extra,
});
