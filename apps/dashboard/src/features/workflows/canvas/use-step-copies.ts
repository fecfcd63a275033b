import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Workflow, WorkflowStep } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import {
  type CopyPlace,
  canInsert,
  firstFreePlace,
  freeName,
  placeAfter,
  settingsOf,
  withStep,
} from './graph-edit.rules.ts';
import type { GraphEdits } from './graph-history.ts';

type Settings = ReturnType<typeof settingsOf>;

/** The step that was copied last. It is kept while the page is open, so that it can be pasted into another workflow. */
let copied: Settings | null = null;

interface StepCopies {
  copy: (step: WorkflowStep) => void;
  /** Inserts the copied step after a step, or at the first free end. */
  paste: ((after: WorkflowStep | null) => void) | null;
  duplicate: (step: WorkflowStep) => void;
}

export function useStepCopies(
  workflow: Workflow,
  { put }: GraphEdits,
  onAdded: (id: string) => void,
): StepCopies {
  const announce = useAnnounce();
  const [hasCopy, setHasCopy] = useState(copied !== null);
  const insert = useMutation({
    async mutationFn({ place, settings, label }: { place: CopyPlace; settings: Settings; label: string }) {
      const id = crypto.randomUUID();
      await put(label, (present) =>
        withStep(present, place, { ...settings, name: freeName(settings.name, present) }, id),
      );
      return id;
    },
    onSuccess: onAdded,
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  const insertAt = (place: CopyPlace | null, settings: Settings, label: string) => {
    if (!place) announce('Nothing can follow an exit. Select another step', 'note');
    else if (!canInsert(settings.type, place))
      announce('An exit can only be added where a path ends', 'note');
    else insert.mutate({ place, settings, label });
  };
  return {
    copy(step) {
      copied = settingsOf(step);
      setHasCopy(true);
      announce(`“${step.name}” copied`);
    },
    paste: hasCopy
      ? (after) => {
          if (!copied) return;
          const place = after ? placeAfter(after, workflow) : firstFreePlace(workflow);
          insertAt(place, copied, `paste of “${copied.name}”`);
        }
      : null,
    duplicate: (step) =>
      insertAt(placeAfter(step, workflow), settingsOf(step), `duplicate of “${step.name}”`),
  };
}
