import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApiClient, type Workflow } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { draftOf, type GraphDraft, isSameGraph } from './graph-edit.rules.ts';
import type { GraphEdits } from './graph-history.ts';
import { stampOf, useEditedCache } from './use-edited-workflow.ts';

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
  edits: GraphEdits;
  /** null when there is nothing to undo */
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/**
 * The changes that were made on this canvas since it was opened. Each can be taken back by putting its former graph in
 * place of the present one, as long as the graph has not been changed elsewhere. Of a workflow with versions they go into its draft.
 */
export function useGraphHistory(id: string): GraphHistory {
  const client = useApiClient().workflows;
  const { shown, keep, read } = useEditedCache(id);
  const announce = useAnnounce();
  const [{ past, future }, setStacks] = useState(none);
  const remember = useCallback((made: Edit) => {
    if (isSameGraph(made.before, made.after)) return;
    setStacks((stacks) => ({ past: [...stacks.past, made].slice(-mostEdits), future: [] }));
  }, []);
  /** Writes a graph over the one that was read, and over no other. */
  const write = useCallback(
    async (present: Workflow, graph: GraphDraft) =>
      keep(await client.replaceGraph.mutate({ id, ifUpdatedAt: stampOf(present), publish: false, ...graph })),
    [client, id, keep],
  );
  const put = useCallback<GraphEdits['put']>(
    async (label, change) => {
      const writeTo = async (present: Workflow) => {
        const saved = await write(present, change(present));
        remember({ label, before: draftOf(present), after: draftOf(saved) });
        return saved;
      };
      const present = shown() ?? (await read());
      try {
        return await writeTo(present);
      } catch (error) {
        if (failureOf(error).code !== 'CONFLICT') throw error;
        const newest = await read();
        // Then the refusal is about something else.
        if (stampOf(newest) === stampOf(present)) throw error;
        return await writeTo(newest);
      }
    },
    [shown, read, write, remember],
  );
  const edit = useCallback<GraphEdits['edit']>(
    async (label, change) => {
      const before = shown() ?? (await read());
      const result = await change();
      const after = await read(before.version === null ? 'no draft' : 'draft');
      remember({ label, before: draftOf(before), after: draftOf(after) });
      return result;
    },
    [shown, read, remember],
  );
  const { mutate, isPending } = useMutation({
    async mutationFn({ label, before, after }: Edit) {
      const workflow = await read();
      if (!isSameGraph(draftOf(workflow), before)) throw new ChangedMeanwhile();
      await write(workflow, after);
      return label;
    },
    onError(error) {
      if (!(error instanceof ChangedMeanwhile)) return announce(failureOf(error).message, 'note');
      setStacks(none);
      announce('The workflow was changed elsewhere, so earlier changes can no longer be undone', 'note');
    },
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
      edits: { put, edit },
      undo: last && !isPending ? () => undo(last) : null,
      redo: next && !isPending ? () => redo(next) : null,
    };
  }, [past, future, isPending, mutate, announce, put, edit]);
}
