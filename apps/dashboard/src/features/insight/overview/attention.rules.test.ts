import { expect, it } from 'vitest';
import type { Overview, Security } from '../../../lib/api.ts';
import { attentionOf } from './attention.rules.ts';

const calm = {
  emails24h: { sent: 5, failed: 0, skipped: 1, uncertain: 0, pending: 2 },
  domains: { total: 1, verified: 1 },
  pausedRoute: null,
  forms: { guarded: 0, limited: false },
} as unknown as Overview;
const security = (status: Partial<Security['status']>, isDisabled = false) =>
  ({ isDisabled, status: { violations: [], warnings: [], ...status } }) as unknown as Security;

it('nothing needs attention in a healthy project, nor before its reputation is known', () => {
  expect(attentionOf(calm, security({}))).toEqual([]);
  expect(attentionOf(calm, undefined)).toEqual([]);
});

it('workflows with failures are listed, and those that were disabled by them say so', () => {
  const workflow = (id: string, failed24h: number, disabledReason: 'errors' | null = null) => ({
    ...{ id, name: id, enabled: disabledReason === null, disabledReason },
    _count: { steps: 2, executions: 9, active: 1, failed24h },
  });
  const items = attentionOf(calm, security({}), [
    workflow('a', 3, 'errors'),
    workflow('b', 1),
    workflow('c', 0),
  ]);
  expect(items.map(({ text, to }) => [text, to])).toEqual([
    [
      'The workflow “a” was disabled, because too many executions failed',
      'workflows/a/executions?status=FAILED',
    ],
    ['1 execution of “b” failed in the last 24 hours', 'workflows/b/executions?status=FAILED'],
  ]);
});

it('the most urgent comes first, each with the page that shows it', () => {
  const overview = {
    emails24h: { ...calm.emails24h, failed: 1, uncertain: 3 },
    domains: { total: 3, verified: 1 },
    pausedRoute: { since: '2026-03-01T00:00:00.000Z', reason: 'connection refused' },
    forms: { guarded: 2, limited: true },
  } as unknown as Overview;
  const items = attentionOf(overview, security({ violations: ['12% bounces'], warnings: ['old'] }, true));
  expect(items.map(({ tone, to }) => `${tone} ${to}`)).toEqual([
    'bad reputation',
    'bad emails?status=PENDING',
    'bad reputation',
    'bad emails?status=FAILED',
    'warn emails?status=UNCERTAIN',
    'warn reputation',
    'warn forms',
    'warn forms',
    'warn domains',
  ]);
  expect(items[7]?.text).toBe('2 forms guarded, because few sign-ups are confirmed');
  expect(items[3]?.text).toBe('1 email failed in the last 24 hours');
});
