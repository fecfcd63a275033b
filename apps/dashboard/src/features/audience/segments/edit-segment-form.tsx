import { useMutation } from '@tanstack/react-query';
import { type Segment, useApi } from '../../../lib/api.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { SegmentForm } from './segment-form.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

export function EditSegmentForm({ segment }: { segment: Segment }) {
  const announce = useAnnounce();
  const refresh = useRefreshSegments();
  const draft = useDraft(`segment.${segment.id}`);
  const update = useMutation({
    ...useApi().segments.update.mutationOptions(),
    async onSuccess() {
      draft.saved();
      await refresh();
      announce('Saved');
    },
  });
  return (
    <SegmentForm
      label="Segment"
      segment={segment}
      failure={useFailure(update.error)}
      draft={draft}
      onSubmit={({ type: _, ...input }) => update.mutate({ id: segment.id, ...input })}
    >
      <Button kind="primary" type="submit" pending={update.isPending}>
        Save
      </Button>
    </SegmentForm>
  );
}
