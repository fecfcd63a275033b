import { useContext, useEffect, useMemo, useState } from 'react';
import { useProject, useUser } from './current.ts';
import { type Draft, parseDraft } from './draft.rules.ts';
import { readPreference, removePreference, removePreferences, writePreference } from './storage.ts';
import { Unsaved } from './unsaved.ts';

const prefix = 'draft.';

/** The unsaved work of a form. It is given to the form, which keeps it up to date. */
export interface FormDraft {
  /** What was stored when the form was opened; null without unsaved work, and once it is restored or discarded. */
  stored: Draft | null;
  store: (draft: Omit<Draft, 'at'>) => void;
  /** There are no unsaved changes any more: they were saved, undone or discarded. */
  clear: () => void;
  /** Hides the offer to restore what was stored. */
  settle: () => void;
  /** Counts the saves. The form takes its values after each as the saved ones. */
  saves: number;
  /** To be called when the form was saved, before the page changes. */
  saved: () => void;
}

/**
 * Keeps what is typed into a form in this browser until it is saved, per user, project and record, and warns before the
 * page is left with unsaved changes.
 *
 * @param form the form and its record: `template.<id>`
 */
export function useDraft(form: string): FormDraft {
  const key = `${prefix}${useUser().id}.${useProject().id}.${form}`;
  const unsaved = useContext(Unsaved);
  const [stored, setStored] = useState(() => parseDraft(readPreference(key), Date.now()));
  const [saves, setSaves] = useState(0);
  useEffect(() => () => void unsaved.delete(key), [unsaved, key]);
  return useMemo(() => {
    const clear = () => {
      unsaved.delete(key);
      removePreference(key);
    };
    const settle = () => setStored(null);
    return {
      stored,
      saves,
      store(draft) {
        unsaved.add(key);
        writePreference(key, JSON.stringify({ ...draft, at: Date.now() }));
      },
      clear,
      settle,
      saved() {
        clear();
        settle();
        setSaves((count) => count + 1);
      },
    };
  }, [key, unsaved, stored, saves]);
}

/** Called when the user logs out: the next user of this browser must not find the texts of this one. */
export const forgetDrafts = (): void => removePreferences(prefix);
