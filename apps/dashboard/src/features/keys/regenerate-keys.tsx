import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../lib/api.ts';
import { useProject } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';

export function RegenerateKeys() {
  const project = useProject();
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const regenerate = useMutation(
    api.projects.regenerateKeys.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.projects.list.queryFilter());
        setAsked(false);
        announce('Both keys rotated');
      },
    }),
  );
  return (
    <>
      <Button
        kind="quiet"
        small
        icon="refresh"
        onClick={() => {
          regenerate.reset();
          setAsked(true);
        }}
      >
        Rotate keys
      </Button>
      {asked && (
        <Confirm
          title="Rotate both keys?"
          action="Rotate keys"
          danger
          pending={regenerate.isPending}
          failure={regenerate.error ? failureOf(regenerate.error) : null}
          onConfirm={() => regenerate.mutate({ id: project.id })}
          onClose={() => setAsked(false)}
        >
          <p>
            The public and the secret key of <strong>{project.name}</strong> stop working immediately.
            Requests with the old keys fail with 401 <code>INVALID_API_KEY</code>.
          </p>
        </Confirm>
      )}
    </>
  );
}
