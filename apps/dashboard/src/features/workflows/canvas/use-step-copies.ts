import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApiClient, type Workflow, type WorkflowStep } from '../../../lib/api.ts';
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
import type { EditGraph } from './graph-history.ts';
import { useRefreshWorkflows } from './use-refresh-workflows.ts';

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
  edit: EditGraph,
  onAdded: (id: string) => void,
): StepCopies {
  const client = useApiClient().workflows;
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const [hasCopy, setHasCopy] = useState(copied !== null);
  const insert = useMutation({
    mutationFn: ({ place, settings, label }: { place: CopyPlace; settings: Settings; label: string }) =>
      edit(label, async (present) => {
        const id = crypto.randomUUID();
        const named = { ...settings, name: freeName(settings.name, present) };
        await client.replaceGraph.mutate({
          id: workflow.id,
          ifUpdatedAt: present.updatedAt,
          ...withStep(present, place, named, id),
        });
        return id;
      }),
    onSuccess: onAdded,
    onError: (error) => announce(failureOf(error).message, 'note'),
    onSettled: refresh,
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
