import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ExplainQuestion, useApi } from '../../../lib/api.ts';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Explanation } from './explanation.tsx';

interface ExplainPanelProps {
  title?: string;
  question: ExplainQuestion;
  /** Above the answer. */
  children?: ReactNode;
}

/** Why something arrived, or did not. */
export const ExplainPanel = ({ title = 'Explanation', question, children }: ExplainPanelProps) => (
  <Panel title={title}>
    {children}
    <ExplainAnswer question={question} />
  </Panel>
);

/** The answer alone, for dialogs. */
export function ExplainAnswer({ question }: { question: ExplainQuestion }) {
  const answer = useQuery(useApi().explain.get.queryOptions(question));
  if (answer.data) return <Explanation answer={answer.data} />;
  return answer.isError ? (
    <LoadFailure error={answer.error} retry={answer.refetch} />
  ) : (
    <Skeleton lines={3} label="Loading the explanation" />
  );
}
