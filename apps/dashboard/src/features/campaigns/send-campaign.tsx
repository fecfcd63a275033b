import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

/** Sends now, after a question that says to how many. */
export function SendCampaign({ campaign }: { campaign: Campaign }) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const send = useMutation({
    ...useApi().campaigns.send.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('The campaign is on its way');
    },
  });
  const recipients = plural(campaign.totalRecipients, 'recipient');
  return (
    <>
      <Button
        kind="primary"
        onClick={() => {
          send.reset();
          setAsked(true);
        }}
      >
        Send now
      </Button>
      {asked && (
        <Confirm
          title={`Send to ${recipients}?`}
          action={`Send to ${recipients}`}
          pending={send.isPending}
          failure={send.error ? failureOf(send.error) : null}
          onConfirm={() => send.mutate({ id: campaign.id })}
          onClose={() => setAsked(false)}
        >
          <p>
            <strong>{campaign.subject}</strong>, from {campaign.from}.
          </p>
          <p>
            {recipients} were counted when the campaign was last saved; who is in the audience at this moment
            gets it. Mail that has left cannot be called back.
          </p>
        </Confirm>
      )}
    </>
  );
}
