/** The part of a limit of the installation that is kept in the memory of one process. */
export type Share = (limit: number) => number;

/** That of the only process of its kind. */
export const whole: Share = (limit) => limit;

/** The equal part of a limit that each of a number of processes has, at least 1. */
export const dividedAmong =
  (processes: () => number): Share =>
  (limit) =>
    Math.max(1, Math.floor(limit / Math.max(1, processes())));
