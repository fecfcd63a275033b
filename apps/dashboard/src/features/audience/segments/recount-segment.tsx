import { useMutation } from '@tanstack/react-query';
import { type Segment, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

/** Updates the members of a tracked segment, or the count of any other. */
export function useRecountSegment({ id, type, trackMembership }: Segment): Action {
  const { segments } = useApi();
  const announce = useAnnounce();
  const refresh = useRefreshSegments();
  const onError = (error: unknown) => announce(failureOf(error).message, 'note');
  const compute = useMutation({
    ...segments.compute.mutationOptions(),
    onError,
    async onSuccess({ added, removed, total }) {
      await refresh();
      announce(
        `${formatCount(added)} entered, ${formatCount(removed)} left. ${plural(total, 'member')} in total.`,
      );
    },
  });
  const recount = useMutation({
    ...segments.refresh.mutationOptions(),
    onError,
    async onSuccess({ memberCount }) {
      await refresh();
      announce(plural(memberCount, 'member'));
    },
  });
  return type === 'DYNAMIC' && trackMembership
    ? { label: 'Recompute', icon: 'refresh', run: () => compute.mutate({ id }) }
    : { label: 'Recount', icon: 'refresh', run: () => recount.mutate({ id }) };
}
