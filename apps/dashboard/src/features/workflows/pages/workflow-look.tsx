import { useMemo } from 'react';
import type { Workflow } from '../../../lib/api.ts';
import type { StepMark } from '../canvas/graph-context.ts';
import { useStepFigures } from '../canvas/use-step-figures.ts';
import { joinedMarks } from '../publish/changes.rules.ts';
import { WorkflowViewer } from '../viewer/workflow-viewer.tsx';

interface WorkflowLookProps {
  workflow: Workflow;
  /** marks of what the draft changes, by step id */
  changed: Readonly<Record<string, readonly StepMark[]>>;
  isDraft: boolean;
}

const days = 30;

/** A workflow with its figures where it is not edited: its live version beside a draft, and on phones. */
export function WorkflowLook({ workflow, changed, isDraft }: WorkflowLookProps) {
  const { marks: figures, ways } = useStepFigures(workflow, days);
  const marks = useMemo(() => joinedMarks(changed, figures), [changed, figures]);
  return (
    <WorkflowViewer workflow={workflow} label={`Steps of ${workflow.name}`} marks={marks} ways={ways}>
      <p>
        {isDraft
          ? 'The draft, as nobody runs it yet.'
          : 'The live version, by which contacts enter now. Select a step to see its settings.'}
      </p>
      <p>Figures are of the last {days} days. To change the workflow, go back to the draft.</p>
    </WorkflowViewer>
  );
}
