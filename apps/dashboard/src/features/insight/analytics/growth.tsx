import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ContactGrowth, useApi } from '../../../lib/api.ts';
import { formatCount, formatDay, plural } from '../../../lib/format.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { Figure, FigureRow } from './figures.tsx';
import styles from './growth.module.css';
import type { Period } from './period.rules.ts';
import { Trend } from './trend.tsx';

const parts = [
  { key: 'created', label: 'New contacts', moreIs: 'good' },
  { key: 'unsubscribed', label: 'Unsubscribed', moreIs: 'bad' },
  { key: 'resubscribed', label: 'Subscribed again', moreIs: 'good' },
  { key: 'removed', label: 'Deleted', moreIs: 'neutral' },
] as const;

/** Contacts gained and lost in a period, by day. */
export function Growth({ period: { present, tz } }: { period: Period }) {
  const growth = useQuery({
    ...useApi().analytics.contactGrowth.queryOptions({ ...present, tz, compare: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Contacts" aside={growth.data && <GrowthCsv growth={growth.data} />}>
      {growth.isPending && <Skeleton lines={6} label="Loading the growth of contacts" />}
      {growth.isError && !growth.data && <LoadFailure error={growth.error} retry={growth.refetch} />}
      {growth.data && <GrowthBody growth={growth.data} />}
    </Panel>
  );
}

function GrowthBody({ growth: { data, totals, previous } }: { growth: ContactGrowth }) {
  const last = data.at(-1)?.total ?? 0;
  return (
    <div className={styles.growth}>
      <FigureRow>
        <Figure name="Contacts" value={last} note="at the end" />
        {parts.map(({ key, label, moreIs }) => (
          <Figure
            key={key}
            name={label}
            value={totals[key]}
            note={
              previous && (
                <>
                  <Trend value={totals[key]} before={previous[key]} unit="count" moreIs={moreIs} />
                  {previous[key] === 0 && 'none before'}
                </>
              )
            }
          />
        ))}
      </FigureRow>
      <TimeChart
        series={[
          { label: 'New contacts', fill: 'delivered' },
          { label: 'Unsubscribed', fill: 'bounced' },
        ]}
        points={data.map(({ bucket, created, unsubscribed }) => ({
          key: bucket,
          label: formatDay(bucket),
          values: [created, unsubscribed],
        }))}
        summary={`${plural(totals.created, 'new contact')} and ${formatCount(totals.unsubscribed)} unsubscribed by day`}
        timeHead="Day"
        height={180}
      />
    </div>
  );
}

const GrowthCsv = ({ growth: { data } }: { growth: ContactGrowth }) => (
  <CsvButton
    name="contacts by day"
    head={['Day', 'New contacts', 'Unsubscribed', 'Subscribed again', 'Deleted', 'Contacts']}
    rows={data.map((day) => [
      day.bucket,
      day.created,
      day.unsubscribed,
      day.resubscribed,
      day.removed,
      day.total,
    ])}
  />
);
