import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function CancelCampaign({ campaign }: { campaign: Campaign }) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    ...useApi().campaigns.cancel.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('The campaign is cancelled');
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          cancel.reset();
          setAsked(true);
        }}
      >
        Cancel campaign
      </Button>
      {asked && (
        <Confirm
          title={`Cancel “${campaign.name}”?`}
          action="Cancel campaign"
          danger
          pending={cancel.isPending}
          failure={cancel.error ? failureOf(cancel.error) : null}
          onConfirm={() => cancel.mutate({ id: campaign.id })}
          onClose={() => setAsked(false)}
        >
          <p>
            {campaign.status === 'SENDING'
              ? 'Recipients who still wait get nothing. Mail that is being handed over at this moment still goes out.'
              : 'It will not start.'}{' '}
            A cancelled campaign cannot be sent any more.
          </p>
        </Confirm>
      )}
    </>
  );
}
