import type { AppError } from '../../base/kernel/errors.ts';

/** How much a finding matters: an error should not be sent, a warning looked at; a hint makes it better. */
export const findingLevels = ['error', 'warning', 'hint'] as const;
export type FindingLevel = (typeof findingLevels)[number];

/** What a rule has found. */
export interface Found {
  /** the field of the campaign; null for what no field of it decides */
  field: string | null;
  /** where in the text of the field, in UTF-16 units from 0; null for all of it */
  offset?: number | null;
  /** where it differs from that of the rule */
  level?: FindingLevel;
  /** the problem, and what solves it */
  message: string;
  details?: Record<string, unknown>;
  /** what sending is refused with; of a rule that blocks */
  refusal?: AppError;
}
