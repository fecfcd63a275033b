import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type WorkflowFigures as Figures, useApi } from '../../../lib/api.ts';
import { formatCount, formatDay, formatPercent, plural } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { TimeChart } from '../../../ui/time-chart.tsx';
import { CsvButton } from '../../common/exports/csv-button.tsx';
import { Figure, FigureRow } from './figures.tsx';
import { PeriodBar } from './period-bar.tsx';
import styles from './report.module.css';
import { timeSpent } from './time-spent.rules.ts';
import { usePeriod } from './use-period.ts';

/** The executions of a workflow in a period: by day, by step and by branch. */
export function WorkflowFigures({ workflowId }: { workflowId: string }) {
  const { choice, period, setParams } = usePeriod();
  const { present, tz } = period;
  const figures = useQuery({
    ...useApi().workflows.getFigures.queryOptions({ id: workflowId, ...present, tz }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PeriodBar choice={choice} onChange={setParams} />
      {figures.isPending && <Skeleton lines={8} label="Loading figures" />}
      {figures.isError && !figures.data && <LoadFailure error={figures.error} retry={figures.refetch} />}
      {figures.data && <Body figures={figures.data} />}
    </>
  );
}

function Body({ figures }: { figures: Figures }) {
  const { entered, active, ended, days, exits } = figures;
  return (
    <>
      <FigureRow>
        <Figure name="Entered" value={entered} note="executions" />
        <Figure name="Active" value={active} note="at present" />
        <Figure name="Completed" value={ended.completed} note="went to an end" />
        <Figure name="Exited" value={ended.exited} note="left before" />
        <Figure name="Failed" value={ended.failed} note="stopped by an error" tone="bad" />
        <Figure name="Cancelled" value={ended.cancelled} note="by somebody" />
      </FigureRow>
      <Panel
        title="By day"
        aside={
          <CsvButton
            name="executions by day"
            head={['Day', 'Entered', 'Ended', 'Failed']}
            rows={days.map((day) => [day.bucket, day.entered, day.ended, day.failed])}
          />
        }
      >
        <TimeChart
          series={[
            { label: 'Entered', fill: 'sent' },
            { label: 'Ended', fill: 'delivered' },
            { label: 'Failed', fill: 'bounced' },
          ]}
          points={days.map((day) => ({
            key: day.bucket,
            label: formatDay(day.bucket),
            values: [day.entered, day.ended, day.failed],
          }))}
          summary={`${plural(entered, 'execution')} began; ${formatCount(ended.failed)} failed`}
          timeHead="Day"
          height={200}
        />
      </Panel>
      <Steps steps={figures.steps} />
      <div className={styles.pair}>
        <Branches steps={figures.steps} />
        <Exits exits={exits} />
      </div>
    </>
  );
}

function Steps({ steps }: Pick<Figures, 'steps'>) {
  return (
    <Panel
      title="By step"
      aside={
        <CsvButton
          name="executions by step"
          head={[
            'Step',
            'Type',
            'Entered',
            'Went on',
            'Failed',
            'Here now',
            'Median seconds',
            'Sent',
            'Opened',
            'Clicked',
          ]}
          rows={steps.map((step) => [
            step.name,
            step.type,
            step.entered,
            step.left,
            step.failed,
            step.here,
            step.medianSeconds ?? '',
            step.email?.sent ?? '',
            step.email?.opened ?? '',
            step.email?.clicked ?? '',
          ])}
        />
      }
    >
      <Table
        label="By step"
        columns={[
          { label: 'Step' },
          { label: 'Entered', numeric: true },
          { label: 'Went on', numeric: true, extra: true },
          { label: 'Failed', numeric: true },
          { label: 'Here now', numeric: true },
          { label: 'Usually takes', numeric: true, extra: true },
        ]}
      >
        {steps.map((step) => (
          <Row key={step.stepKey}>
            <Cell clip>
              {step.name}
              {step.email && step.email.sent > 0 && (
                <SecondLine>
                  {`${plural(step.email.sent, 'email')} sent, ${formatPercent(step.email.openRate)} opened, ${formatPercent(step.email.clickRate)} clicked`}
                </SecondLine>
              )}
            </Cell>
            <Cell numeric>{formatCount(step.entered)}</Cell>
            <Cell numeric extra>
              {formatCount(step.left)}
            </Cell>
            <Cell numeric>{formatCount(step.failed)}</Cell>
            <Cell numeric>{formatCount(step.here)}</Cell>
            <Cell numeric extra>
              {step.medianSeconds === null ? '–' : timeSpent(step.medianSeconds)}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}

function Branches({ steps }: Pick<Figures, 'steps'>) {
  const rows = steps.flatMap(({ stepKey, name, branches }) =>
    branches.map((branch) => ({ key: `${stepKey} ${branch.branch}`, name, ...branch })),
  );
  return (
    <Panel title="Branches">
      {rows.length === 0 ? (
        <EmptyState icon="workflow" title="No branch was taken in this period" />
      ) : (
        <Table
          label="Branches"
          columns={[
            { label: 'Branch' },
            { label: 'Taken', numeric: true },
            { label: 'Share', numeric: true },
          ]}
        >
          {rows.map(({ key, name, branch, taken, share }) => (
            <Row key={key}>
              <Cell clip>
                {branch}
                <SecondLine>{name}</SecondLine>
              </Cell>
              <Cell numeric>{formatCount(taken)}</Cell>
              <Cell numeric>{formatPercent(share)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Exits({ exits }: Pick<Figures, 'exits'>) {
  return (
    <Panel title="Why they left">
      {exits.length === 0 ? (
        <EmptyState icon="workflow" title="Nobody left before the end in this period" />
      ) : (
        <Table label="Why they left" columns={[{ label: 'Reason' }, { label: 'Executions', numeric: true }]}>
          {exits.map(({ name, count }) => (
            <Row key={name}>
              <Cell clip>{name}</Cell>
              <Cell numeric>{formatCount(count)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
