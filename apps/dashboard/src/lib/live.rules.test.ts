import { describe, expect, it } from 'vitest';
import { changedQueries, isChanged } from './live.rules.ts';

const query = (path: string, data: unknown = {}, projectId = 'p1') => ({
  queryKey: [[projectId], path.split('.'), { type: 'query' }],
  state: { data },
});

describe('the queries that a change concerns', () => {
  it.each([
    ['campaigns.get', 'campaigns', true],
    ['campaigns.stats', 'campaigns', true],
    ['analytics.overview', 'analytics.overview', true],
    ['analytics.overview', 'analytics', true],
    ['analytics.clients', 'analytics.overview', false],
    ['campaignsOfOthers.get', 'campaigns', false],
  ])('%s for %s: %s', (path, changed, expected) => {
    expect(isChanged(query(path), 'p1', changed)).toBe(expected);
  });

  it('are those of the project', () => {
    expect(isChanged(query('campaigns.get', {}, 'p2'), 'p1', 'campaigns')).toBe(false);
    expect(isChanged({ queryKey: [['users', 'me']], state: { data: {} } }, 'p1', 'users')).toBe(false);
  });

  it('are not lists of which many pages were read', () => {
    const pages = (count: number) => ({ pages: Array.from({ length: count }, () => []) });
    expect(isChanged(query('sending.listEmails', pages(4)), 'p1', 'sending')).toBe(true);
    expect(isChanged(query('sending.listEmails', pages(5)), 'p1', 'sending')).toBe(false);
  });

  it('are an estimated audience when it is counted, and an exact one never', () => {
    const preview = (estimated?: boolean) => query('campaigns.previewAudience', { matched: 1, estimated });
    expect(isChanged(preview(true), 'p1', 'campaigns.previewAudience')).toBe(true);
    expect(isChanged(preview(), 'p1', 'campaigns.previewAudience')).toBe(false);
    expect(isChanged(preview(true), 'p1', 'campaigns')).toBe(false);
    expect(changedQueries(['figures']).map(({ path }) => path)).toEqual(['campaigns.previewAudience']);
  });

  it('are read again less often where they are sums over the project', () => {
    expect(changedQueries(['activity'])).toContainEqual({ path: 'sending', everyMs: 1_000 });
    expect(changedQueries(['activity'])).toContainEqual({ path: 'analytics', everyMs: 5_000 });
  });
});
