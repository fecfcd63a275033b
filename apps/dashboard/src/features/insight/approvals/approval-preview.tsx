import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { MailFrame } from '../../../ui/mail-frame.tsx';
import { LoadFailure, Notice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** What agreeing would do now: the call is carried out and undone on the server. */
export function ApprovalPreview({ id }: { id: string }) {
  const to = useProjectPath();
  const preview = useQuery(useApi().approvals.preview.queryOptions({ id }));
  if (preview.isError) return <LoadFailure error={preview.error} retry={preview.refetch} />;
  if (!preview.data) return <Skeleton lines={6} label="Trying the call" />;
  const { refusal, total, recipients, email, workflows } = preview.data;
  if (refusal)
    return (
      <Notice tone="bad" title="This would be refused now">
        <p>{refusal.message}</p>
      </Notice>
    );
  return (
    <>
      <Panel title="What would happen">
        <p>
          {total > 0
            ? `${plural(total, 'email')} would be sent.`
            : 'No email would be sent by this call itself.'}
        </p>
        {recipients.length > 0 && (
          <ul>
            {recipients.map((recipient) => (
              <li key={recipient.to}>
                {recipient.to}
                {recipient.reason && ` (skipped: ${recipient.reason})`}
              </li>
            ))}
            {total > recipients.length && <li>and {plural(total - recipients.length, 'more')}</li>}
          </ul>
        )}
        {workflows.length > 0 && (
          <p>
            Workflows that start or go on:{' '}
            {workflows.map((workflow, index) => (
              <span key={workflow.id}>
                {index > 0 && ', '}
                <Link to={to(`workflows/${workflow.id}`)}>{workflow.name}</Link>
              </span>
            ))}
          </p>
        )}
      </Panel>
      {email && (
        <Panel title={`Email: ${email.subject}`} aside={email.from}>
          <MailFrame title={`Preview of “${email.subject}”`} html={email.html} />
        </Panel>
      )}
    </>
  );
}
