import { stepDefinitions } from '@postrider/core/automation/workflows/contract';
import type { WorkflowDefinition } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { StepMark } from '../canvas/graph-context.ts';
import { stepView } from '../steps/step-views.ts';
import { type ListedStep, listSteps } from './list-steps.rules.ts';
import styles from './step-list.module.css';

interface StepListProps {
  workflow: WorkflowDefinition;
  /** The accessible name. */
  label: string;
  /** by step id */
  marks: Readonly<Record<string, readonly StepMark[]>>;
  onSelect: (stepId: string) => void;
}

/** The steps of a workflow below each other, for screens on which its graph is small. */
export const StepList = ({ workflow, label, marks, onSelect }: StepListProps) => (
  <ol className={styles.list} aria-label={label}>
    {listSteps(workflow).map((listed) => (
      <li
        key={`${listed.step.id} ${listed.way} ${listed.isRepeated}`}
        className={styles.row}
        style={{ '--depth': Math.min(listed.depth, deepest) } as React.CSSProperties}
      >
        {listed.way !== null && <span className={styles.way}>{listed.way}</span>}
        {listed.isRepeated ? (
          <button type="button" className={styles.again} onClick={() => onSelect(listed.step.id)}>
            goes on at “{listed.step.name}”
          </button>
        ) : (
          <Step listed={listed} workflow={workflow} marks={marks[listed.step.id] ?? []} onSelect={onSelect} />
        )}
      </li>
    ))}
  </ol>
);

/** Deeper branches are not indented further: the screen ends. */
const deepest = 4;

interface StepProps {
  listed: ListedStep;
  workflow: WorkflowDefinition;
  marks: readonly StepMark[];
  onSelect: (stepId: string) => void;
}

const Step = ({ listed: { step }, workflow, marks, onSelect }: StepProps) => (
  <button type="button" className={styles.step} onClick={() => onSelect(step.id)}>
    <span className={styles.kind} data-type={step.type}>
      <Icon name={stepView(step.type).icon} />
    </span>
    <span className={styles.words}>
      <span className={styles.name}>{step.name}</span>
      <span className={styles.summary}>
        <span className="visually-hidden">{stepDefinitions[step.type].label}: </span>
        {stepView(step.type).summary(step.config, step, workflow)}
      </span>
    </span>
    {marks.length > 0 && (
      <span className={styles.marks}>
        {marks.map(({ tone, text, title }) => (
          <Chip key={text} tone={tone} {...(title && { title })}>
            {text}
          </Chip>
        ))}
      </span>
    )}
  </button>
);
