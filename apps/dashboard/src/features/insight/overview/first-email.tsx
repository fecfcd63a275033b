import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProject, useProjectPath, useUser } from '../../../lib/current.ts';
import { useConfiguration, useMailboxUrl } from '../../../lib/use-configuration.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';
import { RequestExample } from '../../settings/keys/request-example.tsx';
import { sendRequest } from '../../settings/keys/requests.ts';
import styles from './first-steps.module.css';

/** Sends an email to the user from the sandbox sender, or shows how to send it by a request. */
export function FirstEmail({ onSend }: { onSend: () => void }) {
  const api = useApi();
  const to = useProjectPath();
  const { email } = useUser();
  const mailbox = useMailboxUrl();
  const { environment } = useProject();
  const from = useConfiguration().data?.features.email.sandboxFrom;
  const queryClient = useQueryClient();
  const sending = useMutation(
    api.sending.send.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(api.analytics.overview.queryFilter()),
    }),
  );
  const failure = useFailure(sending.error);
  const sent = sending.data?.emails[0];
  return (
    <>
      {failure && <FailureNotice failure={failure} />}
      {sent ? (
        <p role="status">
          The email to {email} is on its way. <Link to={to(`emails/${sent.email}`)}>Follow it</Link>
          {mailbox !== null && environment === 'LIVE' && (
            <>
              {' '}
              or{' '}
              <a href={mailbox} target="_blank" rel="noreferrer">
                open the mailbox
              </a>
            </>
          )}
        </p>
      ) : (
        <Button
          kind="primary"
          icon="send"
          pending={sending.isPending}
          disabled={from === undefined}
          onClick={() => {
            if (from === undefined) return;
            onSend();
            sending.mutate({ to: email, from, subject, body });
          }}
        >
          Send it to me
        </Button>
      )}
      <Fold summary="Or send it with one request" className={styles.request}>
        <RequestExample title="Paste this into a terminal" build={sendRequest} onlyCurl />
      </Fold>
    </>
  );
}

const subject = 'Your first email from Postrider';
const body =
  '<h1>It works</h1><p>This email went through the whole of Postrider: accepted, queued, signed, sent. Open its page in the dashboard to see each step.</p>';
