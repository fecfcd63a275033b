import type { ListTopic } from '@postrider/core/base/live/contract';

/**
 * The queries that a topic changes, by router or procedure of the API, and how often they are read again at most, in milliseconds.
 * Sums over a whole project cost more than a page of a list.
 */
const queriesOf: Record<ListTopic, Readonly<Record<string, number>>> = {
  activity: {
    activity: 1_000,
    sending: 1_000,
    events: 2_000,
    analytics: 5_000,
    'reputation.security': 5_000,
  },
  campaigns: { campaigns: 1_000, 'analytics.overview': 1_000, 'analytics.campaignReport': 2_000 },
  deliveries: { webhooks: 1_000 },
  domains: { domains: 1_000, 'projects.setupState': 1_000 },
  emails: { sending: 1_000, 'analytics.overview': 2_000 },
  executions: { workflows: 1_000 },
  figures: { 'campaigns.previewAudience': 500 },
  jobs: {
    contacts: 1_000,
    exports: 1_000,
    'privacy.getExport': 1_000,
    'projects.resetState': 1_000,
    webhooks: 1_000,
    'workflows.getJob': 1_000,
  },
  segments: { segments: 1_000, 'contacts.list': 2_000 },
  workflows: { workflows: 1_000 },
};

export interface ChangedQueries {
  /** A router (`campaigns`) or a procedure (`analytics.overview`). */
  path: string;
  /** The shortest time between two reads, in milliseconds. */
  everyMs: number;
}

export const changedQueries = (topics: readonly ListTopic[]): ChangedQueries[] =>
  topics.flatMap((topic) => Object.entries(queriesOf[topic]).map(([path, everyMs]) => ({ path, everyMs })));

/** Further pages of a list would all be read again, so a longer list stays as it was read. */
const mostPages = 4;

interface LoadedQuery {
  queryKey: readonly unknown[];
  state: { data: unknown };
}

/** Counts over all contacts. No other change has them counted again, and none while they are exact: a user recounts. */
const counts: readonly string[] = ['campaigns.previewAudience'];

/** Whether the answer of the query is read again when `path` has changed in the project. */
export function isChanged({ queryKey, state }: LoadedQuery, projectId: string, path: string): boolean {
  const [prefix, procedure] = queryKey;
  if (!Array.isArray(prefix) || prefix[0] !== projectId || !Array.isArray(procedure)) return false;
  const name = procedure.join('.');
  if (counts.includes(name)) return name === path && isEstimated(state.data);
  return (name === path || name.startsWith(`${path}.`)) && pagesOf(state.data) <= mostPages;
}

const isEstimated = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'estimated' in data && data.estimated === true;

const pagesOf = (data: unknown): number =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
    ? data.pages.length
    : 1;
