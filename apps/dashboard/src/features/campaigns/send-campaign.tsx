import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

/** Sends now, after a confirmation with a fresh recipient count: the stored one may be outdated. */
export function SendCampaign({ campaign }: { campaign: Campaign }) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const send = useMutation({
    ...useApi().campaigns.send.mutationOptions(),
    async onSuccess() {
      await refresh();
      setAsked(false);
      announce('Sending started');
    },
  });
  const audience = useQuery({
    ...useApi().campaigns.audience.queryOptions({ id: campaign.id }),
    // Counting is expensive in a large project, so it is not repeated on every window focus.
    refetchOnWindowFocus: false,
  });
  const recipients = plural(audience.data?.willSend ?? campaign.totalRecipients, 'recipient');
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
          <p>Everyone in the audience when sending starts will receive it. Sent emails can't be recalled.</p>
        </Confirm>
      )}
    </>
  );
}
