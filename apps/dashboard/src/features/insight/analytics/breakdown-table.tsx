import { Link } from 'react-router';
import type { Breakdown } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { type DiagnosisClass, diagnosisWords } from '../../../lib/diagnosis-words.ts';
import { formatCount, formatPercent } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Cell, Row, rowLinkClass, SecondLine, Table } from '../../../ui/table.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import styles from './breakdowns.module.css';
import { providerName } from './provider-names.ts';
import { Trend } from './trend.tsx';

type Line = Breakdown['data'][number];

const heads: Record<Breakdown['by'], string> = {
  template: 'Template',
  step: 'Step',
  campaign: 'Campaign',
  variant: 'Variant',
  domain: 'Domain',
  provider: 'Provider',
  tag: 'Tag',
  diagnosis: 'Reason',
};

const emptyTitles: Record<Breakdown['by'], string> = {
  template: 'No emails from templates in this period',
  step: 'No emails from workflows in this period',
  campaign: 'No emails from campaigns in this period',
  variant: 'No variants are compared by this campaign',
  domain: 'No emails in this period',
  provider: 'No emails in this period',
  tag: 'No emails with tags in this period',
  diagnosis: 'No email was refused or returned in this period',
};

const rates = [
  { label: 'Opened', rate: 'openRate', moreIs: 'good', extra: false },
  { label: 'Clicked', rate: 'clickRate', moreIs: 'good', extra: true },
  { label: 'Bounced', rate: 'bounceRate', moreIs: 'bad', extra: true },
  { label: 'Complaints', rate: 'complaintRate', moreIs: 'bad', extra: true },
  { label: 'Unsubscribed', rate: 'unsubscribeRate', moreIs: 'bad', extra: true },
] as const;

/** The rates of each row, with their change since the period before. */
export function BreakdownTable({ breakdown: { by, data } }: { breakdown: Breakdown }) {
  if (data.length === 0) return <EmptyState icon="chart" title={emptyTitles[by]} />;
  return (
    <>
      <Table
        label={`By ${heads[by].toLowerCase()}`}
        columns={[
          { label: heads[by] },
          ...(by === 'diagnosis' ? [{ label: 'Failed', numeric: true }] : []),
          { label: 'Sent', numeric: true },
          ...rates.map(({ label, extra }) => ({ label, numeric: true, extra })),
        ]}
      >
        {data.map((line) => (
          <Row key={line.key}>
            <Cell clip>
              <Name by={by} line={line} />
            </Cell>
            {by === 'diagnosis' && <Cell numeric>{formatCount(line.failed ?? 0)}</Cell>}
            <Cell numeric>{formatCount(line.sent)}</Cell>
            {rates.map(({ rate, moreIs, extra }) => (
              <Cell key={rate} numeric extra={extra}>
                {formatPercent(line[rate])}
                {line.previous && line.previous.sent > 0 && (
                  <span className={styles.trend}>
                    <Trend value={line[rate]} before={line.previous[rate]} unit="rate" moreIs={moreIs} />
                  </span>
                )}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      <div className={styles.foot}>
        <CsvButton
          name={`by ${heads[by]}`}
          head={[
            heads[by],
            ...(by === 'diagnosis' ? ['Failed'] : []),
            'Sent',
            ...rates.map(({ label }) => `${label} %`),
          ]}
          rows={data.map((line) => [
            nameOf(by, line),
            ...(by === 'diagnosis' ? [line.failed ?? 0] : []),
            line.sent,
            ...rates.map(({ rate }) => line[rate]),
          ])}
        />
      </div>
    </>
  );
}

const nameOf = (by: Breakdown['by'], { key, name, workflow }: Line): string => {
  if (by === 'provider') return providerName(key);
  if (by === 'diagnosis') return diagnosisWords[key as DiagnosisClass]?.label ?? key;
  const words = name ?? (by === 'template' ? 'Deleted template' : 'Deleted step');
  return workflow ? `${workflow.name}: ${words}` : words;
};

function Name({ by, line }: { by: Breakdown['by']; line: Line }) {
  const to = useProjectPath();
  const { key, name, workflow } = line;
  if (by === 'template' && name !== null)
    return (
      <Link to={to(`templates/${key}`)} className={rowLinkClass ?? ''}>
        {name}
      </Link>
    );
  if (by === 'campaign')
    return (
      <Link to={to(`campaigns/${key}`)} className={rowLinkClass ?? ''}>
        {name}
      </Link>
    );
  if (by === 'step' && workflow)
    return (
      <>
        <Link to={to(`workflows/${workflow.id}`)} className={rowLinkClass ?? ''}>
          {nameOf(by, line)}
        </Link>
        <SecondLine>{workflow.name}</SecondLine>
      </>
    );
  return nameOf(by, line);
}
