import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi, type Workflow } from '../../../lib/api.ts';
import type { Way } from '../steps/outlets.rules.ts';
import type { StepMark } from './graph-context.ts';
import { marksOf, waysOf } from './step-figures.rules.ts';

export interface StepFigures {
  /** by step id */
  marks: Readonly<Record<string, readonly StepMark[]>>;
  ways: readonly Way[];
  /** contacts who are in the workflow now */
  inside: number;
}

const dayMs = 86_400_000;

/** What happened at each step in a number of days: executions, and the emails sent, opened and clicked. */
export function useStepFigures({ id, steps }: Pick<Workflow, 'id' | 'steps'>, days: number): StepFigures {
  const { data } = useQuery(
    useApi().workflows.getFigures.queryOptions({
      id,
      from: new Date(Math.floor(Date.now() / dayMs - days + 1) * dayMs).toISOString(),
    }),
  );
  return useMemo(() => {
    const byKey = new Map(data?.steps.map((step) => [step.stepKey, step]));
    const known = steps.flatMap((step) => {
      const figures = byKey.get(step.key);
      return figures ? [{ step, figures, marks: marksOf(figures) }] : [];
    });
    return {
      marks: Object.fromEntries(
        known.filter(({ marks }) => marks.length > 0).map(({ step, marks }) => [step.id, marks]),
      ),
      ways: known.flatMap(({ step, figures }) => waysOf(step, figures)),
      inside: data?.active ?? 0,
    };
  }, [data, steps]);
}
