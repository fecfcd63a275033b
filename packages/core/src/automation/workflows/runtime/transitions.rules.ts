export interface Transition {
  toStepId: string;
  branch: string | null;
  waitOutcome: 'EVENT' | 'TIMEOUT' | null;
}

/** The outcome or branch of a step with more than one way out. */
export interface StepOutcome {
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/**
 * The next step; null when the outcome has no transition, which completes the execution.
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

/** The same, from the recorded result of the step. */
export function outcomeOf(output: Readonly<Record<string, unknown>> | null): StepOutcome {
  const { branch, waitOutcome } = output ?? {};
  return {
    ...(typeof branch === 'string' ? { branch } : {}),
    ...(waitOutcome === 'EVENT' || waitOutcome === 'TIMEOUT' ? { waitOutcome } : {}),
  };
}
