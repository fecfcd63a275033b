export interface DeliveryOptions {
  /** how long a claim lasts without a renewal */
  leaseMs: number;
  /** emails per second of a project without a rate of its own (B8.2) */
  sendRate: number;
  /** how often due email is looked for in case a notification was lost, and retries become due */
  pollMs: number;
  /** how often email of campaigns with a pace is released */
  paceMs: number;
  /** multiplies the retry delays of B3.3; 1 outside of tests */
  retryScale: number;
  /** seconds from a route's failure to the next probe, by the number of failed probes */
  probeSeconds: number[];
  /** the same after refused credentials */
  authProbeSeconds: number[];
  /** how long stopping may take: messages under way and results that wait for the database */
  stopMs: number;
}

export const defaultDeliveryOptions: DeliveryOptions = {
  leaseMs: 60_000,
  sendRate: 100,
  pollMs: 1_000,
  paceMs: 5_000,
  retryScale: 1,
  probeSeconds: [5, 15, 60],
  authProbeSeconds: [300],
  stopMs: 30_000,
};
