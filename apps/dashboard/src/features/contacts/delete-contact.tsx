import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Contact, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

export function DeleteContact({ contact: { id, email } }: { contact: Contact }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshContacts();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    ...useApi().contacts.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('contacts'));
      announce(`${email} is deleted`);
      await refresh();
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${email}?`}
          action="Delete contact"
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>
            Its data, events and places in segments go. Its mails stay in all figures, without address and
            content; those that wait are not sent. If it had opted out, the address stays opted out.
          </p>
        </Confirm>
      )}
    </>
  );
}
