import type { ExecutionDetail, WorkflowStep } from '../../../lib/api.ts';
import { Panel } from '../../../ui/panel.tsx';
import styles from '../../../ui/timeline.module.css';
import { endedBy } from './ended-by.rules.ts';
import { StepEntry } from './step-entry.tsx';
import { movesBetween } from './versions-run.rules.ts';

interface TimelineProps {
  execution: ExecutionDetail;
  /** the steps of the versions that it ran; empty until they are loaded */
  steps: readonly WorkflowStep[];
  /** the exit rules of the version that it ran last */
  exits: readonly { name: string }[];
  selected: string | null;
  onSelect: (stepId: string) => void;
}

/** The steps that ran, in the order they started. */
export function ExecutionTimeline({ execution, steps, exits, selected, onSelect }: TimelineProps) {
  const settings = new Map(steps.map((step) => [step.id, step]));
  const moves = movesBetween(execution);
  const by = endedBy(execution, exits);
  return (
    <Panel title="What happened">
      <ol className={styles.timeline}>
        {execution.stepExecutions.map((taken, index) => (
          <StepEntry
            key={taken.id}
            taken={taken}
            settings={settings.get(taken.stepId)}
            movedTo={moves.get(taken.id) ?? null}
            withVersion={moves.size > 0}
            goesOn={index < execution.stepExecutions.length - 1}
            endedBy={by}
            isSelected={taken.stepId === selected}
            onSelect={onSelect}
          />
        ))}
      </ol>
    </Panel>
  );
}
