import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { formatCompact, formatCount, formatDay, plural } from '../../lib/format.ts';
import { idle } from '../../lib/polling.ts';
import { useWidth } from '../../lib/use-width.ts';
import { LoadFailure } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { axisEnd } from '../overview/chart.rules.ts';
import styles from './daily-chart.module.css';

interface Day {
  day: string;
  count: number;
}

/** In CSS pixels. The width is that of the place. */
const height = 132;
const margin = { left: 36, top: 8, bottom: 20 };
const plotHeight = height - margin.top - margin.bottom;
const baseline = margin.top + plotHeight;

/** @param name only events of this name */
export function DailyEvents({ name }: { name?: string }) {
  const daily = useQuery({
    ...useApi().events.daily.queryOptions(name === undefined ? {} : { eventName: name }),
    refetchInterval: idle,
  });
  return (
    <Panel title="The last 30 days">
      {daily.isPending && <Skeleton lines={4} label="Loading the last 30 days" />}
      {daily.isError && !daily.data && <LoadFailure error={daily.error} retry={daily.refetch} />}
      {daily.data && <DailyChart days={daily.data} />}
    </Panel>
  );
}

/** One bar per day of UTC. */
function DailyChart({ days }: { days: Day[] }) {
  const [place, width] = useWidth<HTMLDivElement>(320);
  const [pointed, setPointed] = useState<number | null>(null);
  const slot = (width - margin.left) / Math.max(days.length, 1);
  const end = axisEnd(Math.max(...days.map(({ count }) => count), 0));
  const barWidth = Math.max(1, slot * 0.72);
  const first = days[0];
  const last = days.at(-1);
  const shown = pointed === null ? undefined : days[pointed];

  const point = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - margin.left) / slot);
    setPointed(index >= 0 && index < days.length ? index : null);
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.readout}>
        {shown
          ? `${formatDay(shown.day)}: ${plural(shown.count, 'event')}`
          : `${summary(days)}, by days of UTC`}
      </figcaption>
      <div ref={place} className={styles.place}>
        <svg
          className={styles.drawing}
          width={width}
          height={height}
          role="img"
          aria-label={summary(days)}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          {[0, end / 2, end].map((value) => (
            <GridLine key={value} value={value} y={baseline - (value / end) * plotHeight} width={width} />
          ))}
          {pointed !== null && (
            <rect
              className={styles.pointed}
              x={margin.left + pointed * slot}
              y={margin.top}
              width={slot}
              height={plotHeight}
            />
          )}
          {days.map(({ day, count }, index) => (
            <rect
              key={day}
              className={styles.bar}
              x={margin.left + index * slot + (slot - barWidth) / 2}
              y={baseline - (count / end) * plotHeight}
              width={barWidth}
              height={(count / end) * plotHeight}
            />
          ))}
          {first && last && (
            <>
              <text className={styles.axis} x={margin.left} y={height - 4}>
                {formatDay(first.day)}
              </text>
              <text className={styles.axis} x={width} y={height - 4} textAnchor="end">
                {formatDay(last.day)}
              </text>
            </>
          )}
        </svg>
      </div>
      <details className={styles.table}>
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Events</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const GridLine = ({ value, y, width }: { value: number; y: number; width: number }) => (
  <g>
    <line className={styles.grid} x1={margin.left} x2={width} y1={y} y2={y} />
    <text className={styles.axis} x={margin.left - 8} y={y + 4} textAnchor="end">
      {formatCompact(value)}
    </text>
  </g>
);

const summary = (days: Day[]): string =>
  plural(
    days.reduce((sum, { count }) => sum + count, 0),
    'event',
  );
