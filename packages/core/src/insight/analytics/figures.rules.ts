import type { Period } from './period.rules.ts';

/** The period of the same length that ends where this one starts. */
export const previousOf = ({ from, to }: Period): Period => ({
  from: new Date(2 * from.getTime() - to.getTime()),
  to: from,
});
