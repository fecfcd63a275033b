import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Contact, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Subscribes or unsubscribes one contact, after a confirmation: it overrides the contact's own choice. */
export function SubscriptionSwitch({ contact: { id, email, subscribed } }: { contact: Contact }) {
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const [asked, setAsked] = useState(false);
  const [why, setWhy] = useState('');
  const update = useMutation({
    ...useApi().contacts.update.mutationOptions(),
    async onSuccess(contact) {
      await refresh();
      setAsked(false);
      announce(contact.subscribed ? `${email} subscribed` : `${email} unsubscribed`);
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
          onConfirm={() =>
            update.mutate({
              id,
              subscribed: !subscribed,
              // A contact who opted out must have agreed again; how they did is kept in the consent log.
              ...(!subscribed && why.trim() !== '' && { consent: { source: why.trim() } }),
            })
          }
          onClose={() => setAsked(false)}
        >
          <p>
            {subscribed
              ? 'This address will no longer receive marketing emails, including those already queued.'
              : 'Subscribe only contacts who agreed to it. Addresses on the suppression list still receive no email.'}
          </p>
          {!subscribed && (
            <TextField
              name="source"
              label="Why"
              hint="Kept in the consent log, such as “Asked by phone”."
              value={why}
              maxLength={200}
              onChange={({ target }) => setWhy(target.value)}
            />
          )}
        </Confirm>
      )}
    </>
  );
}
