/** The profiles of an installation, and what each may take. */
export type ProfileName = 'standard' | 'small';

/** The parts of a stack that `npm start` runs. A part that a profile does not have is in none of its samples. */
export type Part = 'api' | 'worker' | 'delivery' | 'small' | 'temporal' | 'postgres' | 'mailbox' | 'starter';

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
