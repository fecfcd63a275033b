/** What changes in the lists of a project. `activity` includes every change of an email after it was accepted. */
export const listTopics = [
  'activity',
  'campaigns',
  'deliveries',
  'domains',
  'executions',
  'jobs',
  'segments',
  'workflows',
] as const;

export type ListTopic = (typeof listTopics)[number];
