import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Suppression, useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';

const consequences: Readonly<Record<Suppression['reason'], string>> = {
  BOUNCE:
    'The mail server rejected this address permanently. Remove it only if you know that it works now. The contact stays unsubscribed until you subscribe it again.',
  COMPLAINT:
    'This recipient marked an email as spam. Remove the address only if they have asked for your emails since. The contact stays unsubscribed until you subscribe it again.',
  MANUAL: 'This address was added by hand. Remove it only if the reason for adding it no longer applies.',
};

/** Removes an address from the list, after a confirmation: sending to it again can harm the sender's reputation. */
export function RemoveSuppression({ suppression: { email, reason } }: { suppression: Suppression }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const add = useMutation({
    ...api.contacts.addSuppressions.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess() {
      await queryClient.invalidateQueries(api.contacts.listSuppressions.pathFilter());
      announce(`${email} is on the suppression list again`);
    },
  });
  const remove = useMutation({
    ...api.contacts.deleteSuppression.mutationOptions(),
    async onSuccess() {
      await Promise.all([
        queryClient.invalidateQueries(api.contacts.listSuppressions.pathFilter()),
        queryClient.invalidateQueries(api.explain.pathFilter()),
      ]);
      // Adding it again would record another reason than a bounce or a complaint.
      const undo = { label: 'Undo', run: () => add.mutate({ emails: [email] }) };
      announce(`${email} removed from the suppression list`, 'done', reason === 'MANUAL' ? undo : undefined);
    },
  });
  return (
    <>
      <Button
        kind="quiet"
        small
        aria-label={`Remove ${email} from the suppression list`}
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
          action="Remove from list"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ email })}
          onClose={() => setAsked(false)}
        >
          <p>{consequences[reason]}</p>
        </Confirm>
      )}
    </>
  );
}
