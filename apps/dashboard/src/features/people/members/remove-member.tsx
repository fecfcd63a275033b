import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Member, useAccountApi, useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';

export function RemoveMember({ member }: { member: Member }) {
  const project = useProject();
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const remove = useMutation(
    useAccountApi().members.remove.mutationOptions({
      async onSuccess() {
        await queryClient.invalidateQueries(api.members.pathFilter());
        announce(`${shownAddress(member.email)} removed`);
      },
    }),
  );
  const isPending = member.status === 'PENDING';
  const userId = member.userId ?? member.invitationId ?? '';
  return (
    <>
      <Button
        kind="quiet"
        small
        icon="trash"
        aria-label={`Remove ${shownAddress(member.email)}`}
        title={isPending ? 'Withdraw invitation' : 'Remove member'}
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      />
      {asked && (
        <Confirm
          title={
            isPending
              ? `Withdraw the invitation of ${shownAddress(member.email)}?`
              : `Remove ${shownAddress(member.email)}?`
          }
          action={isPending ? 'Withdraw invitation' : 'Remove member'}
          danger
          pending={remove.isPending}
          failure={remove.error ? failureOf(remove.error) : null}
          onConfirm={() => remove.mutate({ id: project.id, userId })}
          onClose={() => setAsked(false)}
        >
          <p>
            {isPending
              ? 'The link in the invitation email stops working. You can send a new invitation later.'
              : 'This person loses access to the project immediately. What they created stays.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
