import { useState } from 'react';
import type { Timeseries } from '../../lib/api.ts';
import { formatDay, formatPercent, plural, shareOf } from '../../lib/format.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Choice } from '../../ui/toolbar.tsx';
import { Figure, FigureRow } from '../overview/figures.tsx';

const facts = [
  { value: 'sent', label: 'Sent' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complaints' },
] as const;
type Fact = (typeof facts)[number]['value'];

/** The totals of a period, and one of them over time. */
export function Series({ timeseries: { data, granularity } }: { timeseries: Timeseries }) {
  const [fact, setFact] = useState<Fact>('sent');
  const totalOf = (of: Fact): number => data.reduce((sum, bucket) => sum + bucket[of], 0);
  const sent = totalOf('sent');
  const label = facts.find(({ value }) => value === fact)?.label ?? '';
  const all = plural(totalOf(fact), 'email');
  return (
    <>
      <FigureRow>
        {facts.map(({ value, label: name }) => (
          <Figure
            key={value}
            name={name}
            value={totalOf(value)}
            note={value === 'sent' ? 'emails' : `${formatPercent(shareOf(totalOf(value), sent))} of sent`}
          />
        ))}
      </FigureRow>
      <Panel
        title="Emails over time"
        aside={<Choice label="Figure" value={fact} options={facts} onChange={setFact} />}
      >
        <BarChart
          series={[{ label, fill: fact === 'bounced' || fact === 'complained' ? 'failed' : 'sent' }]}
          bars={data.map((bucket) => ({
            key: bucket.bucket,
            label: granularity === 'hour' ? bucket.bucket.slice(11) : formatDay(bucket.bucket),
            counts: [bucket[fact]],
          }))}
          summary={`${label}: ${all}`}
          caption={`${label}: ${all}, by ${granularity}`}
          describe={({ label: time, counts: [count = 0] }) => `${time}: ${plural(count, 'email')}`}
          timeHead={granularity === 'hour' ? 'Hour' : 'Day'}
          height={208}
        />
      </Panel>
    </>
  );
}
