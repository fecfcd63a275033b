/**
 * The names of what keeps ids out of a slice while it is cut (decision 111): PostgreSQL attaches a table without reading it when its constraints
 * say what its bounds say.
 */
export const lowerLimit = (slice: string): string => `${slice}_from`;
export const upperLimit = (slice: string): string => `${slice}_before`;

/** The advisory lock of whoever changes the slices of a table, or gives them an index. */
export const slicesLock = 'slices';
