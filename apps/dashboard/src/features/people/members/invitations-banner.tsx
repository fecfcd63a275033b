import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type OwnInvitation, useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { paths } from '../../../lib/paths.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './invitations-banner.module.css';

const staleMs = 60_000;

/** The invitations to the signed-in user. Only a proven address has any. */
export function InvitationsBanner({ className }: { className: string | undefined }) {
  const { emailVerified } = useUser();
  const { data } = useQuery(
    useAccountApi().invitations.listMine.queryOptions({}, { enabled: emailVerified, staleTime: staleMs }),
  );
  if (!data || data.length === 0) return null;
  return (
    <section className={className} aria-label="Invitations">
      <div className={styles.stack}>
        {data.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </div>
    </section>
  );
}

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const { id, projectName, role, invitedBy } = invitation;
  const api = useAccountApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const forget = () => queryClient.invalidateQueries(api.invitations.pathFilter());
  const accept = useMutation(
    api.invitations.accept.mutationOptions({
      onMutate: () => queryClient.ensureQueryData(api.projects.list.queryOptions({})),
      async onSuccess(_member, _input, known) {
        await queryClient.invalidateQueries(api.projects.pathFilter());
        const projects = await queryClient.fetchQuery(api.projects.list.queryOptions({}));
        const joined = projects.find((project) => !known.some((before) => before.id === project.id));
        await forget();
        announce(`You are now a member of ${projectName}`);
        await navigate(joined ? paths.project(joined.id) : paths.home);
      },
    }),
  );
  const decline = useMutation(
    api.invitations.decline.mutationOptions({
      async onSuccess() {
        announce('Invitation declined');
        await forget();
      },
    }),
  );
  return (
    <>
      <Notice
        tone="busy"
        title={`You are invited to “${projectName}”`}
        action={
          <span className={styles.actions}>
            <Button small kind="primary" pending={accept.isPending} onClick={() => accept.mutate({ id })}>
              Accept
            </Button>
            <Button small kind="quiet" onClick={() => setAsked(true)}>
              Decline
            </Button>
          </span>
        }
      >
        <p>
          {accept.error
            ? failureOf(accept.error).message
            : `${invitedBy ?? 'A member'} invites you as ${role === 'ADMIN' ? 'an admin' : 'a member'}.`}
        </p>
      </Notice>
      {asked && (
        <Confirm
          title={`Decline the invitation to “${projectName}”?`}
          action="Decline"
          danger
          pending={decline.isPending}
          failure={decline.error ? failureOf(decline.error) : null}
          onConfirm={() => decline.mutate({ id })}
          onClose={() => setAsked(false)}
        >
          <p>The project cannot invite you again for 30 days.</p>
        </Confirm>
      )}
    </>
  );
}
