export interface Transition {
  toStepId: string;
  branch: string | null;
  waitOutcome: 'EVENT' | 'TIMEOUT' | null;
}

/** What a step came to, where its type has more than one way out. */
export interface StepOutcome {
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/**
 * The step that follows; null when the outcome leads nowhere, which completes the execution.
 *
 * @param transitions of one step, in their order
 */
export function nextStep(
  transitions: readonly Transition[],
  { branch, waitOutcome }: StepOutcome,
): string | null {
  const taken = transitions.find((transition) => {
    if (branch !== undefined) return transition.branch === branch;
    if (waitOutcome !== undefined)
      return transition.waitOutcome === null || transition.waitOutcome === waitOutcome;
    return true;
  });
  return taken?.toStepId ?? null;
}

/** The same, read from what the step recorded. */
export function outcomeOf(output: Readonly<Record<string, unknown>> | null): StepOutcome {
  const { branch, waitOutcome } = output ?? {};
  return {
    ...(typeof branch === 'string' ? { branch } : {}),
    ...(waitOutcome === 'EVENT' || waitOutcome === 'TIMEOUT' ? { waitOutcome } : {}),
  };
}
