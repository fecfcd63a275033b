import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { plural } from '../../lib/format.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshCampaigns } from './use-refresh-campaigns.ts';

const words = {
  FAILED: {
    verb: 'Retry failed emails',
    text: 'The failed emails are queued again. Contacts who have unsubscribed since are skipped.',
  },
  UNCERTAIN: {
    verb: 'Resend uncertain emails',
    text: 'These recipients may already have the email. Some of them may receive it twice.',
  },
} as const;

interface RetryCampaignProps {
  campaign: Pick<Campaign, 'id'>;
  status: keyof typeof words;
  count: number;
}

/** Queues failed or uncertain emails again. */
export function RetryCampaign({ campaign: { id }, status, count }: RetryCampaignProps) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const retry = useMutation({
    ...useApi().campaigns.retry.mutationOptions(),
    async onSuccess({ requeued }) {
      await refresh();
      setAsked(false);
      announce(`${plural(requeued, 'email')} queued again`);
    },
  });
  const { verb, text } = words[status];
  return (
    <>
      <Button
        small
        onClick={() => {
          retry.reset();
          setAsked(true);
        }}
      >
        {verb}
      </Button>
      {asked && (
        <Confirm
          title={`Send to ${plural(count, 'recipient')} again?`}
          action={verb}
          danger={status === 'UNCERTAIN'}
          pending={retry.isPending}
          failure={retry.error ? failureOf(retry.error) : null}
          onConfirm={() => retry.mutate({ id, statuses: [status] })}
          onClose={() => setAsked(false)}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </>
  );
}
