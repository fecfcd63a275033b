import type { ExecutionDetail, Workflow } from '../../../lib/api.ts';
import { Panel } from '../../../ui/panel.tsx';
import styles from '../../../ui/timeline.module.css';
import { StepEntry } from './step-entry.tsx';

interface TimelineProps {
  execution: ExecutionDetail;
  /** absent until it is loaded */
  workflow: Workflow | undefined;
  selected: string | null;
  onSelect: (stepId: string) => void;
}

/** The steps that ran, in the order they started. */
export function ExecutionTimeline({ execution, workflow, selected, onSelect }: TimelineProps) {
  const settings = new Map(workflow?.steps.map((step) => [step.id, step]));
  return (
    <Panel title="What happened">
      <ol className={styles.timeline}>
        {execution.stepExecutions.map((taken) => (
          <StepEntry
            key={taken.id}
            taken={taken}
            settings={settings.get(taken.stepId)}
            isSelected={taken.stepId === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </Panel>
  );
}
