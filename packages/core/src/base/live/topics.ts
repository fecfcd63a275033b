/** What can be watched of a project. The triggers of `LiveListener` (notify-live.sql) make the same names. */
export const topics = {
  activity: 'activity',
  campaign: (id: string) => `campaign:${id}`,
  job: (id: string) => `job:${id}`,
  execution: (id: string) => `execution:${id}`,
  deliveries: (endpointId: string) => `deliveries:${endpointId}`,
} as const;
