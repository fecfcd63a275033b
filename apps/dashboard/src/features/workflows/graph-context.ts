import { createContext, useContext } from 'react';
import type { Workflow, WorkflowStep } from '../../lib/api.ts';
import type { Tone } from '../../ui/chip.tsx';
import type { Outlet } from './outlets.rules.ts';

/** Something to say about a step, in a word or a figure. */
export interface StepMark {
  tone: Tone;
  text: string;
  title?: string;
}

/** Where a step can be added: behind an outlet, before what follows it, if anything does. */
export interface Place {
  /** tells the places of one graph apart */
  id: string;
  from: WorkflowStep;
  outlet: Outlet;
  to: WorkflowStep | null;
  /** where a step that is added here stands at first */
  at: { x: number; y: number };
}

/** What can be changed on the canvas; without it the graph is there to be read. */
export interface GraphEditing {
  onAdd: (place: Place) => void;
  /** id of the place that is being filled */
  adding: string | null;
  onConnect: (from: WorkflowStep, outlet: Outlet, to: WorkflowStep) => void;
  onDisconnect: (place: Place) => void;
}

export interface GraphView {
  workflow: Pick<Workflow, 'steps' | 'transitions' | 'triggerType' | 'triggerConfig'>;
  /** by step id */
  marks: Readonly<Record<string, readonly StepMark[]>>;
  /** ids of the steps and transitions that somebody took: the others are faint. Null where that is not the question. */
  taken: ReadonlySet<string> | null;
  selected: string | null;
  onSelect: ((stepId: string) => void) | null;
  editing: GraphEditing | null;
}

export const GraphViewContext = createContext<GraphView | null>(null);

export function useGraphView(): GraphView {
  const view = useContext(GraphViewContext);
  if (view === null) throw new Error('useGraphView is called outside of WorkflowGraph');
  return view;
}
