import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApi, useApiClient } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { draftOf, type GraphDraft, isSameGraph } from './graph-edit.rules.ts';
import type { EditGraph } from './graph-history.ts';
import { useRefreshWorkflows } from './use-refresh-workflows.ts';

interface Edit {
  label: string;
  before: GraphDraft;
  after: GraphDraft;
}

interface Stacks {
  past: Edit[];
  future: Edit[];
}

const mostEdits = 50;
const none: Stacks = { past: [], future: [] };

/** The graph is not the one that the edit left behind. */
class ChangedMeanwhile extends Error {}

export interface GraphHistory {
  edit: EditGraph;
  /** null when there is nothing to undo */
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/**
 * The changes that were made on this canvas since it was opened. Each can be taken back by putting its former graph in
 * place of the present one, as long as the graph has not been changed elsewhere.
 */
export function useGraphHistory(id: string): GraphHistory {
  const api = useApi().workflows;
  const client = useApiClient().workflows;
  const queryClient = useQueryClient();
  const refresh = useRefreshWorkflows();
  const announce = useAnnounce();
  const [{ past, future }, setStacks] = useState(none);
  const read = useCallback(
    () => queryClient.fetchQuery({ ...api.get.queryOptions({ id }), staleTime: 0 }),
    [queryClient, api, id],
  );
  const edit = useCallback<EditGraph>(
    async (label, change) => {
      const workflow = await read();
      const before = draftOf(workflow);
      const result = await change(workflow);
      const after = draftOf(await read());
      if (!isSameGraph(before, after)) {
        setStacks((stacks) => ({
          past: [...stacks.past, { label, before, after }].slice(-mostEdits),
          future: [],
        }));
      }
      return result;
    },
    [read],
  );
  const { mutate, isPending } = useMutation({
    async mutationFn({ label, before, after }: Edit) {
      const workflow = await read();
      if (!isSameGraph(draftOf(workflow), before)) throw new ChangedMeanwhile();
      await client.replaceGraph.mutate({ id, ifUpdatedAt: workflow.updatedAt, ...after });
      return label;
    },
    onError(error) {
      if (!(error instanceof ChangedMeanwhile)) return announce(failureOf(error).message, 'note');
      setStacks(none);
      announce('The workflow was changed elsewhere, so earlier changes can no longer be undone', 'note');
    },
    onSettled: refresh,
  });
  return useMemo(() => {
    const last = past.at(-1);
    const next = future.at(-1);
    const undo = (edited: Edit) =>
      mutate(
        { label: edited.label, before: edited.after, after: edited.before },
        {
          onSuccess() {
            setStacks({ past: past.slice(0, -1), future: [...future, edited] });
            announce(`Undone: ${edited.label}`);
          },
        },
      );
    const redo = (edited: Edit) =>
      mutate(edited, {
        onSuccess() {
          setStacks({ past: [...past, edited], future: future.slice(0, -1) });
          announce(`Redone: ${edited.label}`);
        },
      });
    return {
      edit,
      undo: last && !isPending ? () => undo(last) : null,
      redo: next && !isPending ? () => redo(next) : null,
    };
  }, [past, future, isPending, mutate, announce, edit]);
}
