import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { parseTree } from '../../common/filters/filter-tree.rules.ts';
import { SegmentForm } from './segment-form.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

export function CreateSegmentForm() {
  const to = useProjectPath();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const refresh = useRefreshSegments();
  const draft = useDraft('segment.new');
  const create = useMutation({
    ...useApi().segments.create.mutationOptions(),
    async onSuccess({ id }) {
      draft.saved();
      await refresh();
      await navigate(to(`segments/${id}`));
    },
  });
  return (
    <SegmentForm
      label="New segment"
      initial={parseTree(params.get('condition') ?? '')}
      failure={useFailure(create.error)}
      draft={draft}
      onSubmit={(input) => create.mutate(input)}
    >
      <Button kind="primary" type="submit" pending={create.isPending}>
        Create segment
      </Button>
    </SegmentForm>
  );
}
