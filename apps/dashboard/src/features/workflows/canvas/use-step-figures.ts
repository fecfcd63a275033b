import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi, type WorkflowCounts } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import type { StepMark } from './graph-context.ts';

export interface StepFigures {
  /** by step id */
  marks: Readonly<Record<string, readonly StepMark[]>>;
  ways: WorkflowCounts['ways'];
  /** contacts who are in the workflow now */
  inside: number;
}

const dayMs = 86_400_000;
const noWays: WorkflowCounts['ways'] = [];
const mostSteps = 100;

/** What happened at each step in a number of days: executions, and the emails sent, opened and clicked. */
export function useStepFigures(id: string, days: number): StepFigures {
  const api = useApi();
  const counts = useQuery(api.workflows.counts.queryOptions({ id, days }));
  const emails = useQuery(
    api.analytics.breakdown.queryOptions({
      by: 'step',
      workflowId: id,
      from: new Date(Math.floor(Date.now() / dayMs - days + 1) * dayMs).toISOString(),
      limit: mostSteps,
    }),
  );
  return useMemo(() => {
    const sent = new Map(emails.data?.data.map((row) => [row.key, row]));
    const steps = counts.data?.steps ?? [];
    return {
      marks: Object.fromEntries(
        steps.map(({ stepId, standing, passed, failed }) => {
          const mail = sent.get(stepId);
          return [
            stepId,
            [
              ...markOf(standing, 'waiting', 'busy', 'Executions that are at this step now'),
              ...(mail && mail.sent > 0
                ? emailMarks(mail)
                : markOf(passed, 'completed', 'calm', 'Executions that completed this step')),
              ...markOf(failed, 'failed', 'bad', 'Executions that failed at this step'),
            ],
          ];
        }),
      ),
      ways: counts.data?.ways ?? noWays,
      inside: steps.reduce((sum, { standing }) => sum + standing, 0),
    };
  }, [counts.data, emails.data]);
}

const markOf = (count: number, word: string, tone: StepMark['tone'], title: string): StepMark[] =>
  count === 0 ? [] : [{ tone, text: `${formatCount(count)} ${word}`, title }];

const emailMarks = ({
  sent,
  opened,
  clicked,
}: {
  sent: number;
  opened: number;
  clicked: number;
}): StepMark[] => [
  ...markOf(sent, 'sent', 'sent', 'Emails sent by this step'),
  ...markOf(opened, 'opened', 'opened', 'Emails of this step that were opened'),
  ...markOf(clicked, 'clicked', 'clicked', 'Emails of this step in which a link was clicked'),
];
