import { createHash } from 'node:crypto';

interface Share {
  id: string;
  percent: number;
}

/**
 * The draw of a contact at a step, from 0 to below 1: the first 32 bits of the MD5 of both ids as text. So a contact draws the same at a step
 * again, and independently at another step.
 */
export const drawOf = (stepId: string, contactId: string): number =>
  Number.parseInt(createHash('md5').update(`${stepId}${contactId}`).digest('hex').slice(0, 8), 16) / 2 ** 32;

/** The branch of a draw: the first whose share, with those before it, is greater. */
export function branchOfDraw(draw: number, branches: readonly Share[]): string | undefined {
  let sum = 0;
  for (const { id, percent } of branches) {
    sum += percent;
    if (100 * draw < sum) return id;
  }
  return undefined;
}
