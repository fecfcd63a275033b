/** Typed client of the Postrider API. */
export const version = '0.1.0';
