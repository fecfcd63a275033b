import { stepDefinitions } from '@postrider/core/automation/workflows/contract';
import { useEffect, useRef } from 'react';
import { Link, useParams } from 'react-router';
import type { StepExecution, WorkflowStep } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { elapsedInWords } from '../../../lib/elapsed.rules.ts';
import { plural } from '../../../lib/format.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { Moment } from '../../../ui/time.tsx';
import timeline from '../../../ui/timeline.module.css';
import { EmailFate } from './email-fate.tsx';
import type { EndedBy } from './ended-by.rules.ts';
import styles from './step-entry.module.css';
import { storyOf } from './step-story.rules.ts';

interface StepEntryProps {
  taken: StepExecution;
  /** the settings of the step in the version that the execution runs; absent if that has no such step */
  settings: WorkflowStep | undefined;
  /** the version that decided from here on, where it is another than before */
  movedTo: number | null;
  /** Says by which version it was decided; of an execution that was never moved all were decided by one. */
  withVersion: boolean;
  /** whether another step was taken after it */
  goesOn: boolean;
  /** the goal or exit rule that ended the execution */
  endedBy: EndedBy | null;
  isSelected: boolean;
  onSelect: (stepId: string) => void;
}

/** One step of an execution: its type, its time and its result. */
export function StepEntry({
  taken,
  settings,
  movedTo,
  withVersion,
  goesOn,
  endedBy,
  isSelected,
  onSelect,
}: StepEntryProps) {
  const to = useProjectPath();
  const { workflowId = '' } = useParams();
  const { stepId, step, startedAt, completedAt, output } = taken;
  const { text, tone, until, emailId } = storyOf(taken, settings, goesOn);
  const entry = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) entry.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const name = step?.name ?? 'Deleted step';
  // The failure of now is its text.
  const earlier = taken.status === 'FAILED' ? taken.failures.slice(1) : taken.failures;
  return (
    <li
      ref={entry}
      className={[timeline.entry, timeline[tone], isSelected && styles.selected].filter(Boolean).join(' ')}
    >
      {movedTo !== null && (
        <Link className={styles.moved} to={to(`workflows/${workflowId}/versions/${movedTo}`)}>
          Moved to version {movedTo}
        </Link>
      )}
      <button
        type="button"
        className={styles.name}
        aria-pressed={isSelected}
        onClick={() => onSelect(stepId)}
      >
        {name}
      </button>
      <span className={styles.when}>
        {step && `${stepDefinitions[step.type].label}, `}
        {startedAt ? <Moment at={startedAt} /> : 'not started'}
        {startedAt &&
          completedAt &&
          startedAt !== completedAt &&
          `, took ${elapsedInWords(startedAt, completedAt)}`}
        {withVersion && taken.version !== null && `, by version ${taken.version}`}
      </span>
      <span className={tone === 'bad' ? `${timeline.text} ${styles.reason}` : timeline.text}>
        {text}
        {until && (
          <>
            {' '}
            <Moment at={until} />
          </>
        )}
        {emailId && (
          <>
            {'. '}
            <Link to={to(`emails/${emailId}`)}>View email</Link>
            {endedBy && (
              <>
                .<EmailFate emailId={emailId} by={endedBy} />
              </>
            )}
          </>
        )}
      </span>
      {earlier.length > 0 && (
        <Fold className={styles.more} summary={plural(earlier.length, 'earlier failure')}>
          <ul className={styles.failures}>
            {earlier.map(({ at, error }) => (
              <li key={at}>
                <Moment at={at} />: {error}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {(output || settings) && (
        <Fold className={styles.more} summary="Input and output" label={`Input and output of ${name}`}>
          {settings && <CodeBlock title={`Input of “${name}” (settings)`} code={pretty(inputOf(settings))} />}
          {output && <CodeBlock title={`Output of “${name}”`} code={pretty(output)} />}
        </Fold>
      )}
    </li>
  );
}

const inputOf = ({ config, template }: WorkflowStep) => (template ? { template, ...config } : config);

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
