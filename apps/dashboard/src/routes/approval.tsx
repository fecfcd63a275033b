import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApprovalOutcome } from '../features/insight/approvals/approval-outcome.tsx';
import { ApprovalPreview } from '../features/insight/approvals/approval-preview.tsx';
import { useDecline } from '../features/insight/approvals/use-decline.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { failureOf } from '../lib/failure.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { FailureNotice, LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';
import { Moment } from '../ui/time.tsx';

/** One call of an agent: what it asks for, what would happen now, and the decision. */
export function Component() {
  const { approvalId = '' } = useParams();
  const to = useProjectPath();
  const api = useApi();
  const approval = useQuery({
    ...api.approvals.get.queryOptions({ id: approvalId }),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 1_000 : false),
  });
  const approve = useMutation(api.approvals.approve.mutationOptions({ onSettled: () => approval.refetch() }));
  const decline = useDecline(approvalId, approval.refetch);
  const back = { to: to('approvals'), label: 'Approvals' };
  if (!approval.data) {
    return (
      <Page title="Approval" back={back}>
        {approval.isError ? (
          <LoadFailure error={approval.error} retry={approval.refetch} />
        ) : (
          <Skeleton lines={10} label="Loading the approval" />
        )}
      </Page>
    );
  }
  const { summary, status, operation, input, hash, requestedBy, decidedBy } = approval.data;
  const { error, reason, result, createdAt, expiresAt, decidedAt } = approval.data;
  const isOpen = status === 'PENDING';
  const failed = approve.error;
  return (
    <Page
      title={summary}
      back={back}
      intro={
        <span className={styles.status}>
          <ApprovalOutcome status={status} />
          {typeof error?.['message'] === 'string' && error['message']}
        </span>
      }
      actions={
        isOpen && (
          <>
            <Button onClick={decline.run}>Decline</Button>
            <Button
              kind="primary"
              disabled={approve.isPending}
              onClick={() => approve.mutate({ id: approvalId, hash })}
            >
              Approve
            </Button>
          </>
        )
      }
    >
      {failed && <FailureNotice failure={failureOf(failed)} />}
      <div className={styles.columns}>
        <div className={styles.side}>
          {isOpen && <ApprovalPreview id={approvalId} />}
          <CodeBlock title="Input" code={input ? JSON.stringify(input, null, 2) : 'None.'} />
          {result && <CodeBlock title="Reply" code={JSON.stringify(result, null, 2)} />}
        </div>
        <Panel title="Details">
          <Facts>
            <Fact name="Operation" code>
              {operation}
            </Fact>
            <Fact name="Asked by">{requestedBy.label}</Fact>
            <Fact name="Asked">
              <Moment at={createdAt} />
            </Fact>
            {isOpen && expiresAt && (
              <Fact name="Expires">
                <Moment at={expiresAt} />
              </Fact>
            )}
            {decidedBy && <Fact name="Decided by">{decidedBy.label}</Fact>}
            {decidedAt && (
              <Fact name="Decided">
                <Moment at={decidedAt} />
              </Fact>
            )}
            {reason && <Fact name="Reason">{reason}</Fact>}
          </Facts>
        </Panel>
      </div>
      {decline.dialog}
    </Page>
  );
}
