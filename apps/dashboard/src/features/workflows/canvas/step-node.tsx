import { stepDefinitions } from '@postrider/core/automation/workflows/contract';
import { Handle, type Node, type NodeProps, Position, useConnection } from '@xyflow/react';
import type { WorkflowStep } from '../../../lib/api.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { outletsOf } from '../steps/outlets.rules.ts';
import { stepView } from '../steps/step-views.ts';
import { type GraphView, useGraphView } from './graph-context.ts';
import type { PlacedGraph, PlacedStep } from './layout-graph.ts';
import { useReveal } from './use-reveal.ts';
import styles from './workflow-graph.module.css';

export type StepFlowNode = Node<PlacedStep & { size: PlacedGraph['size'] } & Record<string, unknown>, 'step'>;

/** One step: its name, its summary and its marks. */
export function StepNode({ data: { step, outlets, at, size } }: NodeProps<StepFlowNode>) {
  const { workflow, marks, taken, selected, onSelect, editing } = useGraphView();
  const reveal = useReveal();
  const isConnecting = useConnection(({ inProgress }) => inProgress);
  const isFaint = taken !== null && !taken.has(step.id);
  const look = [styles.step, step.id === selected && styles.selected, isFaint && styles.faint]
    .filter(Boolean)
    .join(' ');
  const content = (
    <>
      <span className={styles.kind} data-type={step.type}>
        <Icon name={stepView(step.type).icon} />
      </span>
      <span className={styles.words}>
        <span className={styles.name}>{step.name}</span>
        <span className={styles.summary}>
          <span className="visually-hidden">{stepDefinitions[step.type].label}: </span>
          {summaryOf(step, workflow)}
        </span>
        <span className="visually-hidden">{leadsTo(step, workflow)}</span>
      </span>
      {marks[step.id] && (
        <span className={styles.marks}>
          {marks[step.id]?.map(({ tone, text, title }) => (
            <Chip key={text} tone={tone} {...(title && { title })}>
              {text}
            </Chip>
          ))}
        </span>
      )}
    </>
  );
  return (
    <>
      {step.type !== 'TRIGGER' && (
        <Handle
          type="target"
          position={Position.Top}
          className={isConnecting ? `${styles.target} ${styles.open}` : (styles.target ?? '')}
          isConnectable={editing !== null}
          isConnectableStart={false}
        />
      )}
      {onSelect ? (
        <button
          type="button"
          className={look}
          style={size}
          aria-pressed={step.id === selected}
          onClick={() => onSelect(step.id)}
          onFocus={({ target }) => target.matches(':focus-visible') && reveal({ ...at, ...size })}
        >
          {content}
        </button>
      ) : (
        <div className={look} style={size}>
          {content}
        </div>
      )}
      {outlets.map(({ outlet, x }) => (
        <Handle
          key={outlet.key}
          id={outlet.key}
          type="source"
          position={Position.Bottom}
          className={styles.outlet ?? ''}
          style={{ left: x }}
          isConnectable={editing !== null && outlet.transition === null}
          isConnectableEnd={false}
        />
      ))}
    </>
  );
}

/** What a step does in one line, unless its name already says so. */
function summaryOf(step: WorkflowStep, workflow: GraphView['workflow']): string {
  const { label } = stepDefinitions[step.type];
  const summary = stepView(step.type).summary(step.config, step, workflow);
  const repeats = (text: string) => step.name.toLowerCase().includes(text.toLowerCase());
  if (!repeats(summary)) return summary;
  return repeats(label) ? stepView(step.type).does : label;
}

/** Where the outlets of a step lead, for screen readers. */
function leadsTo(step: WorkflowStep, { steps, transitions }: GraphView['workflow']): string {
  const ways = outletsOf(step, transitions).map(({ label, transition }) => {
    const next = steps.find(({ id }) => id === transition?.toStepId);
    return `${label ?? ''} leads to ${next ? `“${next.name}”` : 'the end'}`.trim();
  });
  return ways.length === 0 ? '' : `; ${ways.join('; ')}`;
}
