import { rateLimits } from '@postrider/core/people/reputation/contract';
import type { Security } from '../../../lib/api.ts';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { Chip, type Tone } from '../../../ui/chip.tsx';
import { Cell, Row, Table } from '../../../ui/table.tsx';

type Level = Security['levels']['bounce7Day'];

const looks: Record<Level, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  warning: { tone: 'warn', label: 'Warning' },
  critical: { tone: 'bad', label: 'Critical' },
};

export const LevelChip = ({ level }: { level: Level }) => (
  <Chip tone={looks[level].tone}>{looks[level].label}</Chip>
);

const rows = [
  { name: 'Bounces, 7 days', level: 'bounce7Day' },
  { name: 'Bounces, in total', level: 'bounceAllTime' },
  { name: 'Complaints, 7 days', level: 'complaint7Day' },
  { name: 'Complaints, in total', level: 'complaintAllTime' },
] as const;

/** The rates of bounces and complaints beside their limits, those that are proven and the others apart: only the former disable a project. */
export const Levels = ({ security: { status, levels } }: { security: Security }) => (
  <Table
    label="Levels"
    columns={[
      { label: 'Rate' },
      { label: 'Level' },
      { label: 'Value', numeric: true },
      { label: 'Proven', numeric: true, extra: true },
      { label: 'Not proven', numeric: true },
      { label: 'Emails', numeric: true, extra: true },
      { label: 'Warning / critical', numeric: true, extra: true },
    ]}
  >
    {rows.map(({ name, level }) => {
      const { window, kind, warning, critical } = rateLimits[level];
      const rates = status[window];
      const unproven = kind === 'bounces' ? rates.unprovenBounces : rates.unprovenComplaints;
      return (
        <Row key={name}>
          <Cell>{name}</Cell>
          <Cell>
            <LevelChip level={levels[level]} />
          </Cell>
          <Cell numeric>
            {rates.total === 0
              ? '–'
              : formatPercent(kind === 'bounces' ? rates.bounceRate : rates.complaintRate)}
          </Cell>
          <Cell numeric extra>
            {formatCount(rates[kind] - unproven)}
          </Cell>
          <Cell numeric>{formatCount(unproven)}</Cell>
          <Cell numeric extra>
            {formatCount(rates.total)}
          </Cell>
          <Cell numeric extra faint>
            {warning}% / {critical}%
          </Cell>
        </Row>
      );
    })}
  </Table>
);
