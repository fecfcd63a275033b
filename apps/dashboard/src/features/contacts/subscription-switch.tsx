import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Contact, useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Subscribes or unsubscribes one contact, after a question: it is their choice that is written here. */
export function SubscriptionSwitch({ contact: { id, email, subscribed } }: { contact: Contact }) {
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const [asked, setAsked] = useState(false);
  const update = useMutation({
    ...useApi().contacts.update.mutationOptions(),
    async onSuccess(contact) {
      await refresh();
      setAsked(false);
      announce(contact.subscribed ? `${email} is subscribed` : `${email} is unsubscribed`);
    },
  });
  const action = subscribed ? 'Unsubscribe' : 'Subscribe';
  return (
    <>
      <Button
        onClick={() => {
          update.reset();
          setAsked(true);
        }}
      >
        {action}
      </Button>
      {asked && (
        <Confirm
          title={`${action} ${email}?`}
          action={action}
          pending={update.isPending}
          failure={update.error ? failureOf(update.error) : null}
          onConfirm={() => update.mutate({ id, subscribed: !subscribed })}
          onClose={() => setAsked(false)}
        >
          <p>
            {subscribed
              ? 'From now on no marketing and no headless mail is sent to this address, also none that waits already.'
              : 'Do this only when they agreed to it. An address on the suppression list gets no mail even then.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
