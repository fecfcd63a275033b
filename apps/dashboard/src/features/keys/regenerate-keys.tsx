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
        announce('Both keys are new');
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
        New keys
      </Button>
      {asked && (
        <Confirm
          title="Make both keys anew?"
          action="Make new keys"
          danger
          pending={regenerate.isPending}
          failure={regenerate.error ? failureOf(regenerate.error) : null}
          onConfirm={() => regenerate.mutate({ id: project.id })}
          onClose={() => setAsked(false)}
        >
          <p>
            The public and the secret key of <strong>{project.name}</strong> stop working at once. Everything
            that uses them gets 401 <code>INVALID_API_KEY</code> until it has the new ones.
          </p>
        </Confirm>
      )}
    </>
  );
}
