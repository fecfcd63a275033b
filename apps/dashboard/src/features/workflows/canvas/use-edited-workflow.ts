import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useApi, type Workflow } from '../../../lib/api.ts';

/** `updatedAt` of what an edit changes: of the draft if there is one, else of the workflow. */
export const stampOf = ({ draft, updatedAt }: Pick<Workflow, 'draft' | 'updatedAt'>): string =>
  draft?.updatedAt ?? updatedAt;

/** A workflow and what an edit of it changes: its draft if it has one, else its live definition. */
export function useEditedWorkflow(id: string) {
  const api = useApi().workflows;
  const live = useQuery(api.get.queryOptions({ id }));
  const hasDraft = live.data ? live.data.draft !== null : false;
  const draft = useQuery({ ...api.get.queryOptions({ id, definition: 'draft' }), enabled: hasDraft });
  // Of an earlier draft, which was published since, nothing is shown.
  const isCurrent = hasDraft && draft.data?.version === live.data?.version;
  // Once something is shown it stays until there is something newer.
  const [wasShown, setShown] = useState(false);
  const waits = hasDraft && draft.isPending && !wasShown;
  const edited = waits ? undefined : isCurrent ? draft.data : live.data;
  if (edited && !wasShown) setShown(true);
  return {
    live: live.data,
    edited,
    failed: live.isError ? live : draft.isError && !draft.data ? draft : null,
  };
}

interface EditedCache {
  /** What was read last; undefined before. */
  shown: () => Workflow | undefined;
  /** Keeps the answer to an edit, so that it is shown without being read again. */
  keep: (edited: Workflow) => Workflow;
  /** Reads it again. @param has what it is known to have; absent: not known */
  read: (has?: 'draft' | 'no draft') => Promise<Workflow>;
}

/** Access to what `useEditedWorkflow` shows, for edits. */
export function useEditedCache(id: string): EditedCache {
  const api = useApi().workflows;
  const queryClient = useQueryClient();
  const keep = useCallback(
    (edited: Workflow) => {
      const liveKey = api.get.queryKey({ id });
      if (edited.draft === null) {
        queryClient.setQueryData(liveKey, edited);
        return edited;
      }
      // The draft first: the page shows it as soon as the workflow says that there is one.
      queryClient.setQueryData(api.get.queryKey({ id, definition: 'draft' }), edited);
      queryClient.setQueryData(liveKey, (live) => live && { ...live, draft: edited.draft });
      return edited;
    },
    [api, queryClient, id],
  );
  const shown = useCallback(() => {
    const live = queryClient.getQueryData(api.get.queryKey({ id }));
    if (!live?.draft) return live;
    return queryClient.getQueryData(api.get.queryKey({ id, definition: 'draft' }));
  }, [api, queryClient, id]);
  const read = useCallback(
    async (has?: 'draft' | 'no draft') => {
      const newest = (definition?: 'draft') =>
        queryClient.fetchQuery({
          ...api.get.queryOptions({ id, ...(definition && { definition }) }),
          staleTime: 0,
        });
      if (has === 'draft') return keep(await newest('draft'));
      const live = await newest();
      return live.draft === null ? live : keep(await newest('draft'));
    },
    [api, queryClient, id, keep],
  );
  return { shown, keep, read };
}
