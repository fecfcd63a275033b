/** Refetch intervals of figures, in milliseconds. */
export const everySecond = 1_000;
export const whileSettling = 2_000;
export const idle = 15_000;
