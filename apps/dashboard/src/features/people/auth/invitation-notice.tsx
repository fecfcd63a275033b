import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { FailureNotice, Notice } from '../../../ui/notice.tsx';
import { useInvitation } from './use-invitation.ts';

/** Describes the invitation in the URL; renders nothing without one. */
export function InvitationNotice() {
  const { token, invitation, error } = useInvitation();
  if (token === null) return null;
  if (error) return <FailureNotice failure={failureOf(error)} />;
  if (!invitation) return null;
  return (
    <Notice tone="good" title={`You are invited to ${invitation.projectName}`}>
      <p>
        The invitation is for {shownAddress(invitation.email)}.{' '}
        {invitation.hasAccount ? 'Log in with this address to join.' : 'Sign up with this address to join.'}
      </p>
    </Notice>
  );
}
