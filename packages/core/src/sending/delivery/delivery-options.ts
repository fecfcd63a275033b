export interface DeliveryOptions {
  /** how long a claim lasts without a renewal */
  leaseMs: number;
  /** emails per second of a project without a rate of its own (B8.2) */
  sendRate: number;
  /** how long a direct lane listens on an empty queue before it returns */
  lingerMs: number;
  /** how long a campaign's lane runs before it yields to waiting ones */
  bulkTurnMs: number;
  /** concurrent campaign lanes in one process */
  bulkLanes: number;
  /** the maximum time a lane runs before it returns and is restarted */
  longestTurnMs: number;
  /** multiplies the retry delays of B3.3; 1 outside of tests */
  retryScale: number;
  /** seconds from a route's failure to the next probe, by the number of failed probes */
  probeSeconds: number[];
  /** the same after refused credentials */
  authProbeSeconds: number[];
}

export const defaultDeliveryOptions: DeliveryOptions = {
  leaseMs: 60_000,
  sendRate: 100,
  lingerMs: 10_000,
  bulkTurnMs: 5_000,
  bulkLanes: 4,
  longestTurnMs: 120_000,
  retryScale: 1,
  probeSeconds: [5, 15, 60],
  authProbeSeconds: [300],
};
