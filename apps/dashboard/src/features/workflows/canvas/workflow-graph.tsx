import { reachableFrom } from '@postrider/core/automation/workflows/contract';
import {
  Background,
  type Connection,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Workflow } from '../../../lib/api.ts';
import { outletWords, type Way } from '../steps/outlets.rules.ts';
import { type EndFlowNode, EndNode } from './end-node.tsx';
import { firstView, zooms } from './first-view.rules.ts';
import { type GraphEditing, GraphViewContext, type StepMark } from './graph-context.ts';
import { GraphControls } from './graph-controls.tsx';
import { GraphLines } from './graph-lines.tsx';
import { boundsOf, endSize, layoutGraph, type PlacedGraph, stepSizes } from './layout-graph.ts';
import { type StepFlowNode, StepNode } from './step-node.tsx';
import { useReveal } from './use-reveal.ts';
import styles from './workflow-graph.module.css';

export type { GraphEditing, Place } from './graph-context.ts';

interface WorkflowGraphProps {
  workflow: Pick<Workflow, 'steps' | 'transitions' | 'triggerType' | 'triggerConfig'>;
  /** The accessible name of the graph. */
  label: string;
  /** Labels of steps, by step id. */
  marks?: Readonly<Record<string, readonly StepMark[]>>;
  /** How many executions took each way out of the steps that have several. */
  ways?: readonly Way[];
  /** The part of the crowd that takes each transition, by its id: lines are as wide. */
  crowd?: ReadonlyMap<string, number>;
  /** Ids of the steps and transitions that an execution took; the others are shown faint. */
  taken?: ReadonlySet<string>;
  selected?: string | null;
  /** Makes the steps selectable. */
  onSelect?: (stepId: string) => void;
  editing?: GraphEditing;
}

/** A workflow's graph, laid out from top to bottom. It fills the height of its container. */
export function WorkflowGraph(props: WorkflowGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

type FlowNode = StepFlowNode | EndFlowNode;

const nodeTypes = { step: StepNode, end: EndNode };
const nothing = {};
const noWays: readonly Way[] = [];

function Canvas({
  workflow,
  label,
  marks = nothing,
  ways = noWays,
  crowd,
  taken,
  selected,
  onSelect,
  editing,
}: WorkflowGraphProps) {
  const { steps, transitions } = workflow;
  const place = useRef<HTMLDivElement>(null);
  const flow = useReactFlow();
  const [isReady, setReady] = useState(false);
  const canEdit = editing !== undefined;
  const hasMarks = Object.values(marks).some((each) => each.length > 0);
  const placed = useMemo(
    () =>
      layoutGraph(steps, transitions, {
        withEnds: canEdit,
        size: hasMarks ? stepSizes.tall : stepSizes.short,
      }),
    [steps, transitions, canEdit, hasMarks],
  );
  const nodes = useMemo(() => nodesOf(placed), [placed]);
  const view = useMemo(
    () => ({
      workflow,
      marks,
      ways,
      crowd: crowd ?? null,
      taken: taken ?? null,
      selected: selected ?? null,
      onSelect: onSelect ?? null,
      editing: editing ?? null,
    }),
    [workflow, marks, ways, crowd, taken, selected, onSelect, editing],
  );
  const mayConnect = ({ source, target }: Pick<Connection, 'source' | 'target'>) =>
    source !== target && !reachableFrom([target], transitions).has(source);
  const connect = ({ source, sourceHandle, target }: Connection) => {
    const from = placed.steps.find(({ step }) => step.id === source);
    const outlet = from?.outlets.find((each) => each.outlet.key === sourceHandle)?.outlet;
    const to = steps.find(({ id }) => id === target);
    if (from && outlet && to) editing?.onConnect(from.step, outlet, to);
  };
  return (
    <GraphViewContext value={view}>
      <div ref={place} className={styles.place}>
        <ReactFlow<FlowNode>
          aria-label={label}
          nodes={nodes}
          nodeTypes={nodeTypes}
          onInit={() => {
            void flow.setViewport(openingView(placed, place.current));
            setReady(true);
          }}
          onConnect={connect}
          isValidConnection={mayConnect}
          minZoom={zooms.least}
          maxZoom={zooms.most}
          nodesDraggable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          nodesConnectable={canEdit}
          connectOnClick={false}
          deleteKeyCode={null}
          disableKeyboardA11y
          panOnScroll
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
        >
          <div aria-hidden="true">
            <Background gap={20} size={1.5} />
          </div>
          <GraphLines edges={placed.edges} />
          <GraphControls />
          {isReady && <Follow placed={placed} selected={selected ?? null} adding={editing?.adding ?? null} />}
        </ReactFlow>
      </div>
    </GraphViewContext>
  );
}

interface FollowProps {
  placed: PlacedGraph;
  selected: string | null;
  adding: string | null;
}

/** Moves the selected step, or the place of a new one, into view when it was chosen elsewhere or was just added. */
function Follow({ placed, selected, adding }: FollowProps) {
  const reveal = useReveal();
  useEffect(() => {
    const step = placed.steps.find((each) => each.step.id === selected);
    const end = placed.ends.find(({ id }) => id === adding);
    const edge = placed.edges.find(({ id }) => id === adding);
    if (step) reveal({ ...step.at, ...placed.size });
    else if (end) reveal({ ...end.at, ...endSize });
    else if (edge) reveal({ ...edge.label, width: 0, height: 0 });
  }, [placed, selected, adding, reveal]);
  return null;
}

function openingView(placed: PlacedGraph, place: HTMLElement | null) {
  const trigger = placed.steps.find(({ step }) => step.type === 'TRIGGER');
  const graph = boundsOf(placed);
  const start = trigger ? { ...trigger.at, ...placed.size } : graph;
  return firstView(graph, start, { width: place?.clientWidth ?? 0, height: place?.clientHeight ?? 0 });
}

/** The sizes are set here and not measured, so that steps are shown at once. */
function nodesOf({ size, steps, ends }: PlacedGraph): FlowNode[] {
  const inOrder = [...steps].sort((a, b) => a.at.y - b.at.y || a.at.x - b.at.x);
  const stepNodes = inOrder.map(
    (data): StepFlowNode => ({
      id: data.step.id,
      type: 'step',
      position: data.at,
      ...size,
      data: { ...data, size },
      ariaRole: 'group',
      ariaLabel: data.step.name,
      domAttributes: plainAttributes,
      handles: [
        { type: 'target', position: Position.Top, x: size.width / 2, y: 0 },
        ...data.outlets.map(({ outlet: { key }, x }) => ({
          id: key,
          type: 'source' as const,
          position: Position.Bottom,
          x,
          y: size.height,
        })),
      ],
    }),
  );
  const endNodes = ends.map(
    (data): EndFlowNode => ({
      id: data.id,
      type: 'end',
      position: data.at,
      ...endSize,
      data: { ...data },
      ariaRole: 'group',
      ariaLabel: `After ${outletWords(data.from.name, data.outlet)}`,
      domAttributes: plainAttributes,
      handles: [{ type: 'target', position: Position.Top, x: endSize.width / 2, y: 0 }],
    }),
  );
  return [...stepNodes, ...endNodes];
}

const plainAttributes = { 'aria-roledescription': 'step' } as const;
