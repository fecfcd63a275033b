import type { ExecutionDetail, WorkflowDefinition } from '../../../lib/api.ts';
import { Panel } from '../../../ui/panel.tsx';
import styles from '../../../ui/timeline.module.css';
import { StepEntry } from './step-entry.tsx';
import { movesBetween } from './versions-run.rules.ts';

interface TimelineProps {
  execution: ExecutionDetail;
  /** absent until it is loaded */
  workflow: WorkflowDefinition | undefined;
  selected: string | null;
  onSelect: (stepId: string) => void;
}

/** The steps that ran, in the order they started. */
export function ExecutionTimeline({ execution, workflow, selected, onSelect }: TimelineProps) {
  const settings = new Map(workflow?.steps.map((step) => [step.id, step]));
  const moves = movesBetween(execution);
  return (
    <Panel title="What happened">
      <ol className={styles.timeline}>
        {execution.stepExecutions.map((taken) => (
          <StepEntry
            key={taken.id}
            taken={taken}
            settings={settings.get(taken.stepId)}
            movedTo={moves.get(taken.id) ?? null}
            withVersion={moves.size > 0}
            isSelected={taken.stepId === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </Panel>
  );
}
