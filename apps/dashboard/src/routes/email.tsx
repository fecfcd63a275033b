import { reasonInWords } from '@postrider/core/mail/eligibility/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ExplainPanel } from '../features/common/explain/explain-panel.tsx';
import { EmailActions } from '../features/emails/email-actions.tsx';
import { EmailFacts } from '../features/emails/email-facts.tsx';
import { EmailPreview } from '../features/emails/email-preview.tsx';
import { EmailStatus, emailStatuses } from '../features/emails/email-status.tsx';
import { SharedRecipients } from '../features/emails/shared-recipients.tsx';
import { Timeline } from '../features/emails/timeline.tsx';
import { type EmailDetail, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { notDelivered } from '../lib/diagnosis-words.ts';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
  const { emailId = '' } = useParams();
  const to = useProjectPath();
  const email = useQuery(useApi().sending.getEmail.queryOptions({ id: emailId }));
  const back = { to: to('emails'), label: 'Emails' };
  if (!email.data) {
    return (
      <Page title="Email" back={back}>
        {email.isError ? (
          <LoadFailure error={email.error} retry={email.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the email" />
        )}
      </Page>
    );
  }
  return <EmailPage email={email.data} back={back} />;
}

/** What the server said in words; while it is tried again, it may still be delivered. */
function titleOf({ status, diagnosis }: EmailDetail): string {
  if (status === 'SCHEDULED' || status === 'PENDING' || status === 'SENDING') return 'Latest server response';
  if (diagnosis) return notDelivered(diagnosis.class);
  return status === 'FAILED' ? 'Error' : 'Latest server response';
}

function EmailPage({ email, back }: { email: EmailDetail; back: { to: string; label: string } }) {
  const { meaning } = emailStatuses[email.status];
  return (
    <Page
      title={email.subject}
      back={back}
      actions={<EmailActions email={email} />}
      intro={
        <span className={styles.status}>
          <EmailStatus status={email.status} />
          {meaning}
          {email.reason && ` Reason: ${reasonInWords(email.reason)}.`}
        </span>
      }
    >
      {(email.error || email.diagnosis) && (
        <Notice tone={email.status === 'FAILED' ? 'bad' : 'warn'} title={titleOf(email)}>
          <code>{email.error ?? email.diagnosis?.text}</code>
        </Notice>
      )}
      <div className={styles.columns}>
        <Frame label="Content">
          <EmailPreview id={email.id} />
        </Frame>
        <div className={styles.side}>
          <ExplainPanel question={{ email: email.id }} />
          <Panel title="History">
            <Timeline email={email} />
          </Panel>
          {email.sharedMessageId && (
            <SharedRecipients email={email} sharedMessageId={email.sharedMessageId} />
          )}
          <Panel title="Details">
            <EmailFacts email={email} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
