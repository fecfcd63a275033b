import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { Icon } from '../../../ui/icon.tsx';
import { outletWords } from '../steps/outlets.rules.ts';
import { dropProps, useGraphView } from './graph-context.ts';
import { endSize, type PlacedEnd } from './layout-graph.ts';
import { useReveal } from './use-reveal.ts';
import styles from './workflow-graph.module.css';

export type EndFlowNode = Node<PlacedEnd & Record<string, unknown>, 'end'>;

/** The end of an outlet without a transition, where a step can be added. */
export function EndNode({ data: { id, from, outlet, at } }: NodeProps<EndFlowNode>) {
  const { editing } = useGraphView();
  const reveal = useReveal();
  const add = () => editing?.onAdd({ id, from, outlet, to: null, at });
  const isActive = editing?.adding === id;
  return (
    <>
      <Handle type="target" position={Position.Top} className={styles.hidden ?? ''} isConnectable={false} />
      <button
        type="button"
        className={[styles.end, isActive && styles.active, editing?.chosen && styles.wanted]
          .filter(Boolean)
          .join(' ')}
        aria-label={`Add a step after ${outletWords(from.name, outlet)}`}
        aria-pressed={isActive}
        onClick={add}
        {...dropProps(editing, add)}
        onFocus={({ target }) => target.matches(':focus-visible') && reveal({ ...at, ...endSize })}
      >
        <Icon name="plus" size={14} />
      </button>
    </>
  );
}
