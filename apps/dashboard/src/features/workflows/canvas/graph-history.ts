import { createContext, useContext } from 'react';
import type { Workflow } from '../../../lib/api.ts';

/** Runs a change of a workflow so that it can be undone. @param label what it does, for “Undone: …” */
export type EditGraph = <T>(label: string, change: (workflow: Workflow) => Promise<T>) => Promise<T>;

export const EditGraphContext = createContext<EditGraph | null>(null);

export function useEditGraph(): EditGraph {
  const edit = useContext(EditGraphContext);
  if (edit === null) throw new Error('useEditGraph is called outside of WorkflowEditor');
  return edit;
}
