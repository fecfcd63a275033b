import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function DeleteCampaign({ campaign: { id, name, sentAt } }: { campaign: Campaign }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().campaigns.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('campaigns'));
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
          action="Delete campaign"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>
            {sentAt
              ? 'Its figures go. The mails it sent stay in the list of emails, without a campaign.'
              : 'The draft goes for good.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
