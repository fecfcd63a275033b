import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ExportButton } from '../features/common/exports/export-button.tsx';
import { PeriodBar } from '../features/insight/analytics/period-bar.tsx';
import { usePeriod } from '../features/insight/analytics/use-period.ts';
import { useGoalActions } from '../features/insight/goals/goal-actions.tsx';
import { GoalFacts } from '../features/insight/goals/goal-facts.tsx';
import { GoalReport } from '../features/insight/goals/goal-report.tsx';
import { type GoalReport as Report, useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { ActionMenu } from '../ui/menu.tsx';
import { LoadFailure, Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const { goalId = '' } = useParams();
  const to = useProjectPath();
  const { choice, period, setParams } = usePeriod();
  const { present, tz } = period;
  const report = useQuery({
    ...useApi().goals.getReport.queryOptions({ id: goalId, ...present, tz }),
    placeholderData: keepPreviousData,
  });
  const back = { to: to('goals'), label: 'Goals' };
  if (!report.data) {
    return (
      <Page title="Goal" back={back}>
        {report.isError ? (
          <LoadFailure error={report.error} retry={report.refetch} />
        ) : (
          <Skeleton lines={8} label="Loading the goal" />
        )}
      </Page>
    );
  }
  return (
    <GoalPage report={report.data} back={back}>
      <PeriodBar choice={choice} onChange={setParams} />
    </GoalPage>
  );
}

interface GoalPageProps {
  report: Report;
  back: { to: string; label: string };
  /** chooses the period */
  children: ReactNode;
}

function GoalPage({ report, back, children }: GoalPageProps) {
  const { goal } = report;
  return (
    <Page
      title={goal.name}
      back={back}
      actions={
        <>
          <ActionMenu actions={useGoalActions(goal)} />
          <ExportButton
            request={{ type: 'conversions', goalId: goal.id }}
            what={`conversions of ${goal.name}`}
          />
        </>
      }
    >
      {goal.archived && (
        <Notice tone="warn" title="Archived">
          <p>It counts no more events. Its figures are those until then.</p>
        </Notice>
      )}
      {children}
      <GoalReport report={report} />
      <Panel title="What it counts">
        <GoalFacts goal={goal} />
      </Panel>
    </Page>
  );
}
