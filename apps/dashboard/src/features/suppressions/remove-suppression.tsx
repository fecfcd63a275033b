import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Suppression, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';

/** Takes an address off the list, after a question: mail to a dead or angry reader harms the sender. */
export function RemoveSuppression({ suppression: { email, reason } }: { suppression: Suppression }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...api.suppressions.delete.mutationOptions(),
    async onSuccess() {
      await queryClient.invalidateQueries(api.suppressions.pathFilter());
      announce(`${email} may get mail again`);
    },
  });
  return (
    <>
      <Button
        kind="quiet"
        small
        aria-label={`Remove ${email} from the list`}
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Remove
      </Button>
      {asked && (
        <Confirm
          title={`Send to ${email} again?`}
          action="Remove from the list"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ email })}
          onClose={() => setAsked(false)}
        >
          <p>
            {reason === 'COMPLAINT'
              ? 'They marked a mail as spam. Do this only when they asked for mail since; their contact stays unsubscribed until it is subscribed again.'
              : 'Their server said that the address takes no mail. Do this only when you know that it does now; their contact stays unsubscribed until it is subscribed again.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
