import { createContext, useContext } from 'react';
import type { Workflow } from '../../../lib/api.ts';
import type { GraphDraft } from './graph-edit.rules.ts';

/** The ways to change a workflow so that it can be undone. Each takes what the change does, for “Undone: …”. */
export interface GraphEdits {
  /**
   * Puts another graph in place of the present one, in one request. What others have changed meanwhile stays: the change is then made to
   * the graph as it is now.
   *
   * @returns the workflow after it
   */
  put: (label: string, change: (present: Workflow) => GraphDraft) => Promise<Workflow>;
  /** Runs a request that changes the workflow, and reads what it has become. */
  edit: <T>(label: string, change: () => Promise<T>) => Promise<T>;
}

export const GraphEditsContext = createContext<GraphEdits | null>(null);

export function useGraphEdits(): GraphEdits {
  const edits = useContext(GraphEditsContext);
  if (edits === null) throw new Error('useGraphEdits is called outside of WorkflowEditor');
  return edits;
}
