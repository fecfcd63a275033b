import { Link } from 'react-router';
import type { GoalReport as Report } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount, formatDay, formatPercent, plural, shareOf } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Cell, Row, rowLinkClass, Table } from '../../../ui/table.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { valueInWords } from './goal-words.rules.ts';

/** How often a goal was reached in a period, and what has led to it. */
export function GoalReport({ report }: { report: Report }) {
  const { goal, granularity, totals, data, campaigns, workflows } = report;
  const { conversions, credited } = totals;
  return (
    <>
      <Panel
        title={plural(conversions, 'conversion')}
        aside={
          conversions > 0 && (
            <CsvButton
              name={`${goal.name} by ${granularity}`}
              head={[
                granularity === 'hour' ? 'Hour' : 'Day',
                'Conversions',
                'Value',
                'Credited',
                'Credited value',
              ]}
              rows={data.map((each) => [
                each.bucket,
                each.conversions,
                each.value ?? '',
                each.credited,
                each.creditedValue ?? '',
              ])}
            />
          )
        }
      >
        {conversions === 0 ? (
          <EmptyState icon="goal" title="Not reached in this period">
            <p>
              Nobody triggered the event <strong>{goal.eventName}</strong>
              {Array.isArray(goal.where) && goal.where.length > 0 && ' with what the goal asks for'}.
            </p>
          </EmptyState>
        ) : (
          <>
            <p>
              {goal.value && <>Worth {valueInWords(totals.value, goal)}. </>}
              {formatPercent(Math.round(shareOf(credited, conversions)))} are credited to an email
              {goal.value && <>, worth {valueInWords(totals.creditedValue, goal)}</>}.
            </p>
            <TimeChart
              series={[
                { label: 'Conversions', fill: 'sent' },
                { label: 'Credited to an email', fill: 'clicked' },
              ]}
              points={data.map((each) => ({
                key: each.bucket,
                label: granularity === 'hour' ? each.bucket.slice(11) : formatDay(each.bucket),
                values: [each.conversions, each.credited],
              }))}
              summary={`${plural(conversions, 'conversion')}, ${formatCount(credited)} credited to an email, by ${granularity}`}
              timeHead={granularity === 'hour' ? 'Hour' : 'Day'}
              height={220}
            />
          </>
        )}
      </Panel>
      <Campaigns goal={goal} campaigns={campaigns} />
      <Workflows workflows={workflows} />
    </>
  );
}

function Campaigns({ goal, campaigns }: Pick<Report, 'goal' | 'campaigns'>) {
  const to = useProjectPath();
  return (
    <Panel title="Campaigns" flush>
      {campaigns.length === 0 ? (
        <EmptyState icon="campaign" title="No campaign is credited in this period" />
      ) : (
        <Table
          label="Campaigns"
          columns={[
            { label: 'Campaign' },
            { label: 'Credited', numeric: true },
            { label: 'Value', numeric: true },
          ]}
        >
          {campaigns.map(({ id, name, credited, creditedValue }) => (
            <Row key={id}>
              <Cell clip>
                <Link to={to(`campaigns/${id}`)} className={rowLinkClass ?? ''}>
                  {name}
                </Link>
              </Cell>
              <Cell numeric>{formatCount(credited)}</Cell>
              <Cell numeric>{valueInWords(creditedValue, goal)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Workflows({ workflows }: Pick<Report, 'workflows'>) {
  const to = useProjectPath();
  return (
    <Panel title="Workflows" flush>
      {workflows.length === 0 ? (
        <EmptyState icon="workflow" title="No workflow has this goal">
          <p>Add it under Goals and exits in the settings of a workflow.</p>
        </EmptyState>
      ) : (
        <Table
          label="Workflows"
          columns={[
            { label: 'Workflow' },
            { label: 'Entered', numeric: true, extra: true },
            { label: 'Reached it', numeric: true },
            { label: 'Lift', extra: true },
            { label: 'Credited', numeric: true, extra: true },
          ]}
        >
          {workflows.map(({ id, name, credited, entered, converted, rate, lift }) => (
            <Row key={id}>
              <Cell clip>
                <Link to={to(`workflows/${id}`)} className={rowLinkClass ?? ''}>
                  {name}
                </Link>
              </Cell>
              <Cell numeric extra>
                {formatCount(entered)}
              </Cell>
              <Cell numeric>
                {formatCount(converted)} ({formatPercent(rate)})
              </Cell>
              <Cell extra faint>
                {lift ? <Lift lift={lift} /> : 'No holdout'}
              </Cell>
              <Cell numeric extra>
                {formatCount(credited)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}

type LiftFigures = NonNullable<Report['workflows'][number]['lift']>;

const Lift = ({ lift: { rate, heldOutRate, proven } }: { lift: LiftFigures }) => (
  <>
    {formatPercent(rate)} against {formatPercent(heldOutRate)} held out{' '}
    {proven ? <Chip tone="good">Proven</Chip> : <Chip tone="calm">No difference shown</Chip>}
  </>
);
