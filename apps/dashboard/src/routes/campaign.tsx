import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { AudienceBreakdown } from '../features/campaigns/audience-breakdown.tsx';
import { CampaignActions } from '../features/campaigns/campaign-actions.tsx';
import { CampaignApproval } from '../features/campaigns/campaign-approval.tsx';
import { CampaignFacts } from '../features/campaigns/campaign-facts.tsx';
import { CampaignStats } from '../features/campaigns/campaign-stats.tsx';
import {
  CampaignStatus,
  pauseReasonInWords,
  statusReasonInWords,
  waitInWords,
} from '../features/campaigns/campaign-status.tsx';
import { CampaignWaves } from '../features/campaigns/campaign-waves.tsx';
import { PauseCampaign } from '../features/campaigns/pause-campaign.tsx';
import { Recipients } from '../features/campaigns/recipients.tsx';
import { RetryCampaign } from '../features/campaigns/retry-campaign.tsx';
import { localTimeInWords, scheduledInWords } from '../features/campaigns/scheduled-time.ts';
import { SendCampaign } from '../features/campaigns/send-campaign.tsx';
import { Family, Sequels } from '../features/campaigns/sequels.tsx';
import { TestPanel } from '../features/campaigns/tests/test-panel.tsx';
import { CampaignReport } from '../features/insight/reports/campaign-report.tsx';
import { MailPanel } from '../features/templates/mail-panel.tsx';
import { type Campaign, useApi } from '../lib/api.ts';
import { useProject, useProjectPath } from '../lib/current.ts';
import { formatMinute, plural } from '../lib/format.ts';
import { ButtonLink } from '../ui/button.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Progress } from '../ui/progress.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
  const { campaignId = '' } = useParams();
  const to = useProjectPath();
  const campaign = useQuery(useApi().campaigns.get.queryOptions({ id: campaignId }));
  if (campaign.data) return <CampaignPage campaign={campaign.data} />;
  return (
    <Page title="Campaign" back={{ to: to('campaigns'), label: 'Campaigns' }}>
      {campaign.isError ? (
        <LoadFailure error={campaign.error} retry={campaign.refetch} />
      ) : (
        <Skeleton lines={8} label="Loading the campaign" />
      )}
    </Page>
  );
}

function CampaignPage({ campaign }: { campaign: Campaign }) {
  const to = useProjectPath();
  const { timeZone, approval: rule } = useProject();
  const { status, pausedAt, pauseReason, scheduledFor, localTime, statusReason } = campaign;
  const wait = waitInWords(campaign);
  const canStart = status === 'DRAFT' || status === 'SCHEDULED';
  // It is scheduled as it was approved.
  const isFixed = status === 'SCHEDULED' && rule.required !== 'NEVER' && campaign.approval?.valid === true;
  return (
    <Page
      title={campaign.name}
      back={{ to: to('campaigns'), label: 'Campaigns' }}
      actions={
        <>
          <CampaignActions campaign={campaign} />
          {canStart && !isFixed && <ButtonLink to={to(`campaigns/${campaign.id}/edit`)}>Edit</ButtonLink>}
          {canStart && <SendCampaign campaign={campaign} />}
          {status === 'SENDING' && <PauseCampaign campaign={campaign} />}
        </>
      }
      intro={
        <span className={styles.status}>
          <CampaignStatus status={status} pausedAt={pausedAt} />
          {pausedAt && `Paused on ${formatMinute(pausedAt)}. ${pauseReasonInWords(pauseReason)}`}
          {status === 'SCHEDULED' &&
            scheduledFor &&
            (localTime
              ? `${localTimeInWords(localTime)}; the first get it on ${scheduledInWords(scheduledFor, timeZone)}.`
              : `Scheduled for ${scheduledInWords(scheduledFor, timeZone)}.`)}
          {status === 'DRAFT' && 'Not sent yet.'}
          {wait && `${wait}.`}
          {statusReason && statusReasonInWords(statusReason)}
        </span>
      }
    >
      {canStart && <CampaignApproval campaign={campaign} />}
      {campaign.sentAt && <Delivery campaign={campaign} />}
      <Family campaign={campaign} />
      {campaign.sentAt ? (
        <>
          <CampaignReport campaign={campaign} />
          <Recipients campaign={campaign} />
        </>
      ) : (
        <div className={styles.columns}>
          <MailPanel content={campaign} />
          <div className={styles.side}>
            {canStart && <AudienceBreakdown campaign={campaign} />}
            <Panel title="Details">
              <CampaignFacts campaign={campaign} />
            </Panel>
          </div>
        </div>
      )}
    </Page>
  );
}

function Delivery({ campaign }: { campaign: Campaign }) {
  const { id, status } = campaign;
  const to = useProjectPath();
  const stats = useQuery(useApi().campaigns.stats.queryOptions({ id }));
  if (stats.isPending) return <Skeleton lines={5} label="Loading figures" />;
  if (!stats.data) return <LoadFailure error={stats.error} retry={stats.refetch} />;
  const mayRetry = status === 'SENDING' || status === 'SENT';
  return (
    <>
      {stats.data.uncertainCount > 0 && (
        <Notice
          tone="warn"
          title="Delivery to some recipients is uncertain"
          action={
            mayRetry && (
              <RetryCampaign campaign={campaign} status="UNCERTAIN" count={stats.data.uncertainCount} />
            )
          }
        >
          <p>
            Sending started, but the server's answer was lost. These emails are not retried automatically, to
            avoid sending duplicates.{' '}
            <Link to={`${to('emails')}?campaign=${id}&status=UNCERTAIN`}>View emails</Link>
          </p>
        </Notice>
      )}
      {stats.data.failedCount > 0 && mayRetry && (
        <Notice
          tone="warn"
          title={`Sending failed for ${plural(stats.data.failedCount, 'recipient')}`}
          action={<RetryCampaign campaign={campaign} status="FAILED" count={stats.data.failedCount} />}
        >
          <p>Their mail servers rejected the email permanently, or every retry failed.</p>
        </Notice>
      )}
      {stats.data.test && <TestPanel campaign={campaign} figures={stats.data.test} />}
      <Panel title="Recipients" aside={<Link to={`${to('emails')}?campaign=${id}`}>View emails</Link>}>
        {status === 'SENDING' && stats.data.totalRecipients === 0 ? (
          <Progress label="Locking the audience" value={null} />
        ) : (
          <CampaignStats campaign={campaign} stats={stats.data} />
        )}
      </Panel>
      <CampaignWaves campaign={campaign} waves={stats.data.waves} />
      {(status === 'SENT' || status === 'CANCELLED') && <Sequels campaign={campaign} stats={stats.data} />}
    </>
  );
}
