export interface DeliveryOptions {
  /** how long rows belong to a claim without a renewal */
  leaseMs: number;
  /** emails per second and project where the project sets nothing itself (B8.2) */
  sendRate: number;
  /** how long a direct lane listens on an empty queue before it returns */
  lingerMs: number;
  /** how long a campaign's lane works before it lets others have a turn, when others wait */
  bulkTurnMs: number;
  /** campaigns' lanes at the same time in one process */
  bulkLanes: number;
  /** the longest that any lane works before it returns and is started again */
  longestTurnMs: number;
  /** multiplies the retry delays of B3.3; 1 outside of tests */
  retryScale: number;
  /** seconds from a route's failure to its probes, by how many failed */
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
