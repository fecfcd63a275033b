import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Segment, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { DeleteRecord } from '../../ui/delete-record.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

export function DeleteSegment({ segment: { id, name } }: { segment: Segment }) {
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
  return (
    <DeleteRecord label={`“${name}”`} noun="segment" remove={remove} onConfirm={() => remove.mutate({ id })}>
      Its contacts are not deleted. You can't delete a segment that campaigns, workflows or other segments
      use.
    </DeleteRecord>
  );
}
