import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Segment, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshSegments } from './use-refresh-segments.ts';

export function DeleteSegment({ segment: { id, name } }: { segment: Segment }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshSegments();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().segments.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('segments'));
      announce(`“${name}” is deleted`);
      await refresh();
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete segment"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>Its contacts stay. A segment that campaigns, segments or workflows use cannot be deleted.</p>
        </Confirm>
      )}
    </>
  );
}
