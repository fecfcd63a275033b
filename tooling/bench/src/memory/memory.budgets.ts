import type { Part } from '@postrider/harness/stack-processes';

/** The profiles of an installation, and what each may take. */
export type ProfileName = 'standard' | 'small';

interface Budget {
  /** idle, by part and together, in MB of PSS */
  idle: Partial<Record<Part, number>> & { together: number };
  /** every sample of every phase, together, in MB of PSS */
  most: number;
  /** idle, of all processes together: percent of one core */
  idleCpu: number;
}

/** Figures may exceed a budget by this much before the bench fails: samples of the same program differ. */
export const tolerance = 1.05;

export const budgets: Readonly<Record<ProfileName, Budget>> = {
  standard: { idle: { together: 700 }, most: 1_280, idleCpu: 2 },
  small: { idle: { together: 540 }, most: 1_024, idleCpu: 2 },
};
