import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Segment, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

export function useDeleteSegment({ id, name }: Segment): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshSegments();
  const remove = useMutation({
    ...useApi().segments.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('segments'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return useDeleteRecord({
    label: `“${name}”`,
    noun: 'segment',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: (
      <>
        Its contacts are not deleted. You can't delete a segment that campaigns, workflows, webhook endpoints
        or other segments use.
      </>
    ),
  });
}
