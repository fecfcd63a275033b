/**
 * What changes in the lists of a project. `emails` are those that are accepted or wait for another attempt; every other change of an email is
 * in `activity`. `figures` are those that were estimated and are now computed.
 */
export const listTopics = [
  'activity',
  'campaigns',
  'deliveries',
  'domains',
  'emails',
  'executions',
  'figures',
  'jobs',
  'segments',
  'workflows',
] as const;

export type ListTopic = (typeof listTopics)[number];
