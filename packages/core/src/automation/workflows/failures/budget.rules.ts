interface Ends {
  /** how often the step came to an end, the failures included */
  visits: number;
  failed: number;
}

/** How often a step came to an end lately, since its workflow was enabled. */
export interface StepEnds {
  stepId: string;
  stepKey: string;
  hour: Ends;
  /** seven days, the last hour included */
  week: Ends;
}

interface Budget {
  /** fewer visits say little */
  visits: number;
  /** of the visits, that failed */
  share: number;
}

/** What a step may fail before its workflow is disabled (behaviour B14.7). */
export const budgets = {
  hour: { visits: 50, share: 0.5 },
  week: { visits: 20, share: 0.95 },
} as const satisfies Record<string, Budget>;

/** With fewer failures no budget is used up. */
export const fewestFailures = Math.min(
  ...Object.values(budgets).map(({ visits, share }) => Math.ceil(visits * share)),
);

const isUsedUp = ({ visits, failed }: Ends, { share }: Budget): boolean => failed >= visits * share;

/**
 * How a step has used up a budget: many failures within an hour, or hardly anything but failures for longer. What happens within an hour is
 * for the first alone, so that the second does not end a workflow sooner. @returns null if it has not
 */
function excessOf({ hour, week }: StepEnds): Ends | null {
  if (hour.visits >= budgets.hour.visits && isUsedUp(hour, budgets.hour)) return hour;
  const earlier = week.visits - hour.visits;
  return earlier >= budgets.week.visits && isUsedUp(week, budgets.week) ? week : null;
}

export interface Excess extends Ends {
  stepId: string;
  stepKey: string;
}

/** The step that has used up a budget, of several the one with most failures; null if none has. */
export function exceeding(steps: readonly StepEnds[]): Excess | null {
  const all = steps.flatMap((step) => {
    const excess = excessOf(step);
    return excess ? { stepId: step.stepId, stepKey: step.stepKey, ...excess } : [];
  });
  return all.toSorted((a, b) => b.failed - a.failed)[0] ?? null;
}
