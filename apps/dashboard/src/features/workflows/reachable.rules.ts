type Edges = readonly { fromStepId: string; toStepId: string }[];

/** Every step that can be reached from `start` by at least one transition, without passing through `without`. */
export function reachableFrom(start: string, transitions: Edges, without?: string): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    for (const { fromStepId, toStepId } of transitions) {
      if (fromStepId !== step || toStepId === without || reached.has(toStepId)) continue;
      reached.add(toStepId);
      open.push(toStepId);
    }
  }
  return reached;
}

/** How many steps go when one is deleted with everything that is reached only through it, itself included. */
export function countLost(stepId: string, steps: readonly { id: string }[], transitions: Edges): number {
  const behind = reachableFrom(stepId, transitions);
  const kept = new Set(
    steps
      .filter(({ id }) => id !== stepId && !behind.has(id))
      .flatMap(({ id }) => [...reachableFrom(id, transitions, stepId)]),
  );
  return 1 + [...behind].filter((id) => !kept.has(id)).length;
}
