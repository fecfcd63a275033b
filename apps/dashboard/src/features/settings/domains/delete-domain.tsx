import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Domain, useApi } from '../../../lib/api.ts';
import { isLeader, useProject, useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';

export function DeleteDomain({ domain: { id, domain } }: { domain: Domain }) {
  const api = useApi();
  const project = useProject();
  const to = useProjectPath();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...api.domains.delete.mutationOptions(),
    async onSuccess() {
      setAsked(false);
      announce(`${domain} removed`);
      await navigate(to('domains'));
      await queryClient.invalidateQueries(api.domains.list.queryFilter());
    },
  });
  if (!isLeader(project)) return null;
  return (
    <>
      <Button
        kind="quiet"
        small
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Remove
      </Button>
      {asked && (
        <Confirm
          title={`Remove ${domain}?`}
          action="Remove domain"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>
            You will no longer be able to send from this domain, and queued emails from it will fail. If you
            add it again, it may need a new DNS record.
          </p>
        </Confirm>
      )}
    </>
  );
}
