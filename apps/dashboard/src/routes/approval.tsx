import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useRefreshCampaigns } from '../features/campaigns/use-refresh-campaigns.ts';
import { ApprovalOutcome, isOfCampaign } from '../features/insight/approvals/approval-outcome.tsx';
import { ApprovalPreview } from '../features/insight/approvals/approval-preview.tsx';
import { useDecline } from '../features/insight/approvals/use-decline.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject, useProjectPath, useUser } from '../lib/current.ts';
import { failureOf } from '../lib/failure.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { FailureNotice, LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';
import { Moment } from '../ui/time.tsx';

/** One call of an agent, or a campaign that needs a second person: what is asked for, what would happen now, and the decision. */
export function Component() {
  const { approvalId = '' } = useParams();
  const to = useProjectPath();
  const api = useApi();
  const approval = useQuery({
    ...api.approvals.get.queryOptions({ id: approvalId }),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 1_000 : false),
  });
  const refreshCampaigns = useRefreshCampaigns();
  const onDecided = () => Promise.all([approval.refetch(), refreshCampaigns()]);
  const approve = useMutation(api.approvals.approve.mutationOptions({ onSettled: onDecided }));
  const decline = useDecline(approvalId, onDecided);
  const leads = isLeader(useProject());
  const { id: userId } = useUser();
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
  const { campaignId, note } = approval.data;
  const isOpen = status === 'PENDING';
  const ofCampaign = isOfCampaign(approval.data);
  const isFirst = ofCampaign && (!leads || requestedBy.id === userId);
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
        isOpen &&
        !isFirst && (
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
      {isOpen && ofCampaign && (
        <Notice
          tone="busy"
          title={
            isFirst
              ? 'It waits for another owner or admin'
              : 'You are asked to approve a campaign as it is now'
          }
        >
          <p>
            Approving sends nothing: who sends the campaign decides when. Any change of it ends the approval.
            {note && ` ${requestedBy.label} says: “${note}”`}
          </p>
        </Notice>
      )}
      {failed && <FailureNotice failure={failureOf(failed)} />}
      <div className={styles.columns}>
        <div className={styles.side}>
          {isOpen && <ApprovalPreview id={approvalId} />}
          {!ofCampaign && <CodeBlock title="Input" code={input ? JSON.stringify(input, null, 2) : 'None.'} />}
          {result && <CodeBlock title="Reply" code={JSON.stringify(result, null, 2)} />}
        </div>
        <Panel title="Details">
          <Facts>
            <Fact name="Operation" code>
              {operation}
            </Fact>
            {campaignId && (
              <Fact name="Campaign">
                <Link to={to(`campaigns/${campaignId}`)}>View campaign</Link>
              </Fact>
            )}
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
            {note && <Fact name="Note">{note}</Fact>}
            {reason && <Fact name="Reason">{reason}</Fact>}
          </Facts>
        </Panel>
      </div>
      {decline.dialog}
    </Page>
  );
}
