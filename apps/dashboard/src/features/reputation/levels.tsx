import type { Security } from '../../lib/api.ts';
import { formatCount, formatPercent } from '../../lib/format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Level = Security['levels']['bounce7Day'];

const looks: Record<Level, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  warning: { tone: 'warn', label: 'Warning' },
  critical: { tone: 'bad', label: 'Critical' },
};

export const LevelChip = ({ level }: { level: Level }) => (
  <Chip tone={looks[level].tone}>{looks[level].label}</Chip>
);

/** The limits of each rate in percent (behaviour B4.19). */
const rows = [
  { name: 'Bounces, 7 days', window: 'sevenDay', kind: 'bounce', level: 'bounce7Day', limits: '5% / 10%' },
  { name: 'Bounces, in total', window: 'allTime', kind: 'bounce', level: 'bounceAllTime', limits: '4% / 8%' },
  {
    name: 'Complaints, 7 days',
    window: 'sevenDay',
    kind: 'complaint',
    level: 'complaint7Day',
    limits: '0.075% / 0.15%',
  },
  {
    name: 'Complaints, in total',
    window: 'allTime',
    kind: 'complaint',
    level: 'complaintAllTime',
    limits: '0.03% / 0.12%',
  },
] as const;

/** The rates of bounces and complaints beside their limits. */
export const Levels = ({ security: { status, levels } }: { security: Security }) => (
  <Table
    label="Levels"
    columns={[
      { label: 'Rate' },
      { label: 'Level' },
      { label: 'Value', numeric: true },
      { label: 'Emails', numeric: true, extra: true },
      { label: 'Warning / critical', numeric: true, extra: true },
    ]}
  >
    {rows.map(({ name, window, kind, level, limits }) => {
      const rates = status[window];
      return (
        <Row key={name}>
          <Cell>{name}</Cell>
          <Cell>
            <LevelChip level={levels[level]} />
          </Cell>
          <Cell numeric>{formatPercent(kind === 'bounce' ? rates.bounceRate : rates.complaintRate)}</Cell>
          <Cell numeric extra>
            {formatCount(kind === 'bounce' ? rates.bounces : rates.complaints)} of {formatCount(rates.total)}
          </Cell>
          <Cell numeric extra faint>
            {limits}
          </Cell>
        </Row>
      );
    })}
  </Table>
);
