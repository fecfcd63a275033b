import { useQuery } from '@tanstack/react-query';
import { type Campaign, type CampaignReport as Report, useApi } from '../../../lib/api.ts';
import { formatDay, plural } from '../../../lib/format.ts';
import type { ChartPoint } from '../../../ui/chart-types.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import split from '../../../ui/split.module.css';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { CampaignFacts } from '../../campaigns/campaign-facts.tsx';
import { ClientsPanel } from '../analytics/clients.tsx';
import { browserZone } from '../analytics/period.rules.ts';
import styles from '../analytics/report.module.css';
import { GoalOfCampaign } from './goal-of-campaign.tsx';
import { LinkClicks, SentMail } from './link-clicks.tsx';
import { Providers } from './providers.tsx';

/** The hours that are drawn; later opens and clicks are drawn by days. */
const mostHours = 72;

/** How a campaign did after it was sent: over time, by link, by mail program and by mailbox provider. */
export function CampaignReport({ campaign }: { campaign: Campaign }) {
  const report = useQuery(
    useApi().analytics.campaignReport.queryOptions({ id: campaign.id, tz: browserZone() }),
  );
  if (report.isPending) return <Skeleton lines={8} label="Loading the report" />;
  if (!report.data) return <LoadFailure error={report.error} retry={report.refetch} />;
  return (
    <>
      <div className={split.columns}>
        <SentMail campaign={campaign} links={report.data.links} />
        <div className={split.side}>
          <Panel title="Details">
            <CampaignFacts campaign={campaign} finishedAt={report.data.finishedAt} />
          </Panel>
          <LinkClicks campaign={campaign} links={report.data.links} />
        </div>
      </div>
      {report.data.goal && <GoalOfCampaign goal={report.data.goal} lift={report.data.lift} />}
      <OverTime report={report.data} />
      <div className={styles.pair}>
        <ClientsPanel clients={report.data.clients} devices={report.data.devices} />
        <Providers campaign={campaign} providers={report.data.providers} />
      </div>
    </>
  );
}

function OverTime({ report }: { report: Report }) {
  const byDay = report.days.length > 0;
  const points = byDay ? dailyPoints(report) : hourlyPoints(report);
  return (
    <Panel title="Opens and clicks over time">
      <TimeChart
        series={[
          { label: 'Opened', fill: 'opened' },
          { label: 'Clicked', fill: 'clicked' },
          { label: 'Unsubscribed', fill: 'bounced' },
        ]}
        points={points}
        summary={`${report.opened} emails opened and ${report.clicked} clicked by ${byDay ? 'day' : 'hour'}`}
        timeHead={byDay ? 'Day' : 'Hour'}
        height={220}
      />
      <Machines {...report} />
    </Panel>
  );
}

/** What no person did; the figures above do not count it. */
function Machines({ machine: { opens, clicks } }: Pick<Report, 'machine'>) {
  if (opens + clicks === 0) return null;
  return (
    <p className={styles.note}>
      Not counted: {plural(opens, 'open')} and {plural(clicks, 'click')} by machines.
    </p>
  );
}

type Bucket = Report['hours'][number];

const valuesOf = ({ opened, clicked, unsubscribed }: Bucket): number[] => [opened, clicked, unsubscribed];

const hourlyPoints = ({ hours }: Report): ChartPoint[] =>
  hours.slice(0, mostHours).map((hour) => ({
    key: hour.bucket,
    label: `${formatDay(hour.bucket.slice(0, 10))}, ${hour.bucket.slice(11)}`,
    values: valuesOf(hour),
  }));

/** The hours and days of the report as days: one that has hours and the rest of it is one point. */
function dailyPoints({ hours, days }: Report): ChartPoint[] {
  const sums = new Map<string, number[]>();
  for (const bucket of [...hours, ...days]) {
    const day = bucket.bucket.slice(0, 10);
    const present = sums.get(day) ?? [0, 0, 0];
    sums.set(
      day,
      valuesOf(bucket).map((value, index) => value + (present[index] ?? 0)),
    );
  }
  return [...sums].map(([day, values]) => ({ key: day, label: formatDay(day), values }));
}
