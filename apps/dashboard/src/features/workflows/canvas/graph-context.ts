import { createContext, type DragEvent, useContext } from 'react';
import type { Workflow, WorkflowStep } from '../../../lib/api.ts';
import type { Tone } from '../../../ui/chip.tsx';
import type { Outlet, Way } from '../steps/outlets.rules.ts';

/** A label on a step: a word or a figure. */
export interface StepMark {
  tone: Tone;
  text: string;
  title?: string;
}

/** Where a step can be added: after an outlet, and before the step that follows it, if any. */
export interface Place {
  /** unique in the graph */
  id: string;
  from: WorkflowStep;
  outlet: Outlet;
  to: WorkflowStep | null;
  /** the initial position of a step added here */
  at: { x: number; y: number };
}

/** A type of step that can be added. */
export type StepChoice = Exclude<WorkflowStep['type'], 'TRIGGER'>;

/** The changes that the canvas offers; without it, the graph is read-only. */
export interface GraphEditing {
  onAdd: (place: Place) => void;
  /** id of the place where a step is being added */
  adding: string | null;
  /** the type that is dragged or was chosen from the palette */
  chosen: StepChoice | null;
  /** null when there is nothing to undo */
  undo: (() => void) | null;
  redo: (() => void) | null;
  onConnect: (from: WorkflowStep, outlet: Outlet, to: WorkflowStep) => void;
  onDisconnect: (place: Place) => void;
}

export interface GraphView {
  workflow: Pick<Workflow, 'steps' | 'transitions' | 'triggerType' | 'triggerConfig'>;
  /** by step id */
  marks: Readonly<Record<string, readonly StepMark[]>>;
  /** how many executions took each way out of the steps that have several */
  ways: readonly Way[];
  /** the part of the crowd that takes each transition, from 0 to 1, by the id of the transition; null where no crowd is shown */
  crowd: ReadonlyMap<string, number> | null;
  /** ids of the steps and transitions that an execution took; the others are shown faint. Null where no path is shown. */
  taken: ReadonlySet<string> | null;
  selected: string | null;
  onSelect: ((stepId: string) => void) | null;
  editing: GraphEditing | null;
}

/** What is shown on the canvas in place of the figures of the workflow. */
export interface Painting {
  marks: GraphView['marks'];
  ways: GraphView['ways'];
  crowd: GraphView['crowd'];
  taken: GraphView['taken'];
}

export const GraphViewContext = createContext<GraphView | null>(null);

export function useGraphView(): GraphView {
  const view = useContext(GraphViewContext);
  if (view === null) throw new Error('useGraphView is called outside of WorkflowGraph');
  return view;
}

/** Accepts a step that is dragged from the palette. */
export const dropProps = (editing: GraphEditing | null, add: () => void) => ({
  onDragOver(event: DragEvent) {
    if (!editing?.chosen) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  },
  onDrop(event: DragEvent) {
    event.preventDefault();
    add();
  },
});
