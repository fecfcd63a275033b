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
    verb: 'Try failed ones again',
    text: 'Their mail is put into the queue once more. Whoever unsubscribed meanwhile is left out.',
  },
  UNCERTAIN: {
    verb: 'Send uncertain ones again',
    text: 'Nobody knows whether they have the mail already: some of them will get it a second time.',
  },
} as const;

interface RetryCampaignProps {
  campaign: Pick<Campaign, 'id'>;
  status: keyof typeof words;
  count: number;
}

/** Puts mails that did not arrive, or may not have, into the queue again. */
export function RetryCampaign({ campaign: { id }, status, count }: RetryCampaignProps) {
  const announce = useAnnounce();
  const refresh = useRefreshCampaigns();
  const [asked, setAsked] = useState(false);
  const retry = useMutation({
    ...useApi().campaigns.retry.mutationOptions(),
    async onSuccess({ requeued }) {
      await refresh();
      setAsked(false);
      announce(`${plural(requeued, 'mail waits', 'mails wait')} again`);
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
