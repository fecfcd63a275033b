import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { forgetUser } from '../../../lib/forget-user.ts';
import { answerWithPasskey } from '../../../lib/passkeys.ts';
import { paths } from '../../../lib/paths.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { FailureNotice, LoadFailure, Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { CodeField } from './code-field.tsx';

interface DeleteAccountFormProps {
  /** of the link in an email; null without one */
  token: string | null;
  onCancel?: () => void;
}

/** What an account takes to be deleted: no project of one's own, its password or a link by email, and its second factor. */
export function DeleteAccountForm({ token, onCancel }: DeleteAccountFormProps) {
  const api = useAccountApi();
  const { hasPassword } = useUser();
  const factors = useQuery(api.auth.getSecondFactors.queryOptions());
  const projects = useQuery(api.projects.list.queryOptions({}));
  if (factors.isPending || projects.isPending) return <Skeleton lines={3} />;
  if (factors.error) return <LoadFailure error={factors.error} retry={factors.refetch} />;
  const owned = projects.data?.filter(({ role }) => role === 'OWNER') ?? [];
  if (owned.length > 0) return <OwnProjects projects={owned} onCancel={onCancel} />;
  if (!hasPassword && token === null) return <RequestLink onCancel={onCancel} />;
  const { authenticatorApp, passkeys } = factors.data;
  const hasPasskeys = passkeys.length > 0;
  return (
    <ProofOfOwner
      token={token}
      hasPasskeys={hasPasskeys}
      isProtected={authenticatorApp !== null || hasPasskeys}
      onCancel={onCancel}
    />
  );
}

interface Step {
  onCancel: (() => void) | undefined;
}

interface OwnProjectsProps extends Step {
  projects: readonly { id: string; name: string }[];
}

function OwnProjects({ projects, onCancel }: OwnProjectsProps) {
  return (
    <>
      <p>A project always has an owner. Delete the projects that you own first:</p>
      <ul>
        {projects.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.project(id, 'settings')}>{name}</Link>
          </li>
        ))}
      </ul>
      <FormActions>{onCancel && <Button onClick={onCancel}>Close</Button>}</FormActions>
    </>
  );
}

/** For accounts without a password: only who reads the mailbox deletes them. */
function RequestLink({ onCancel }: Step) {
  const { email } = useUser();
  const request = useMutation(useAccountApi().users.requestDeletion.mutationOptions());
  if (request.isSuccess) {
    return (
      <Notice tone="good" title="Check your inbox">
        <p>We sent a link to {shownAddress(email)}. Open it in this browser within an hour.</p>
      </Notice>
    );
  }
  return (
    <>
      <p>Your account has no password. To confirm, open a link that we send to {shownAddress(email)}.</p>
      {request.error && <FailureNotice failure={failureOf(request.error)} />}
      <FormActions>
        <Button kind="primary" pending={request.isPending} onClick={() => request.mutate({})}>
          Send link
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </FormActions>
    </>
  );
}

interface ProofOfOwnerProps extends Step {
  token: string | null;
  isProtected: boolean;
  hasPasskeys: boolean;
}

function ProofOfOwner({ token, isProtected, hasPasskeys, onCancel }: ProofOfOwnerProps) {
  const api = useAccountApi();
  const { email, hasPassword } = useUser();
  const leave = useLeave();
  const challenge = useMutation(api.auth.challengePasskey.mutationOptions());
  const asking = useMutation({
    mutationFn: async () => answerWithPasskey((await challenge.mutateAsync({})).options),
  });
  const remove = useMutation(
    api.users.deleteMe.mutationOptions({
      onSuccess: leave,
      // The answer of a passkey is consumed, also by a refusal for another reason.
      onError: () => asking.reset(),
    }),
  );
  const failed = asking.error ?? remove.error;
  return (
    <Form
      label="Delete account"
      failure={failed ? failureOf(failed) : null}
      onSubmit={({ currentPassword, code }) =>
        remove.mutate({
          ...(hasPassword ? { currentPassword } : token !== null && { token }),
          ...(asking.data ? { passkey: asking.data } : isProtected && { code }),
        })
      }
    >
      <p>
        Your account {shownAddress(email)}, its sessions and its memberships are removed at once. This can't
        be undone.
      </p>
      {hasPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <TextField
            name="currentPassword"
            label="Password"
            type="password"
            autoComplete="current-password"
            required
          />
        </>
      )}
      {hasPasskeys &&
        (asking.data ? (
          <p role="status">Your passkey is confirmed.</p>
        ) : (
          <FormActions>
            <Button pending={asking.isPending} onClick={() => asking.mutate()}>
              Use a passkey
            </Button>
          </FormActions>
        ))}
      {isProtected && !asking.data && (
        <CodeField hint="The code that your authenticator app shows now, or a recovery code." />
      )}
      <FormActions>
        <Button kind="danger" type="submit" pending={remove.isPending}>
          Delete account
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </FormActions>
    </Form>
  );
}

function useLeave(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  return async () => {
    await navigate(paths.login);
    forgetUser(queryClient);
    announce('Your account is deleted');
  };
}
