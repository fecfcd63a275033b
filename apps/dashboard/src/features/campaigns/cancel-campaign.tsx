import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

export function useCancelCampaign(campaign: Campaign): Action {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    ...useApi().campaigns.cancel.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('Campaign cancelled');
    },
  });
  return {
    label: 'Cancel campaign',
    icon: 'stop',
    danger: true,
    run() {
      cancel.reset();
      setAsked(true);
    },
    dialog: asked && (
      <Confirm
        title={`Cancel “${campaign.name}”?`}
        action="Cancel campaign"
        dismiss="Keep campaign"
        danger
        pending={cancel.isPending}
        failure={cancel.error ? failureOf(cancel.error) : null}
        onConfirm={() => cancel.mutate({ id: campaign.id })}
        onClose={() => setAsked(false)}
      >
        <p>
          {campaign.status === 'SENDING'
            ? `${formatCount(campaign.sentCount)} of ${plural(campaign.totalRecipients, 'email')} were sent. The others will not be, apart from those that are being sent right now.`
            : 'The campaign will not start.'}{' '}
          You can't send a cancelled campaign, but you can duplicate it.
        </p>
      </Confirm>
    ),
  };
}
