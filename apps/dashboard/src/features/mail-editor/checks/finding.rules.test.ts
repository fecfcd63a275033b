import { expect, it } from 'vitest';
import { type Finding, pageOf, positionOf, problemsOf, withRuled } from './finding.rules.ts';

const finding = (
  rule: Finding['rule'],
  severity: Finding['severity'],
  more: Partial<Finding> = {},
): Finding => ({
  ...{ rule, severity, text: `${rule}.`, field: null, offset: null },
  ...more,
});

it('what the API alone can find is added to what the editor has found, which is newer', () => {
  const own = [finding('image_width', 'hint'), finding('link_target', 'error', { field: 'body', offset: 9 })];
  const ruled = [
    finding('link_target', 'error', { field: 'body', offset: 5 }),
    finding('sender', 'error', { field: 'from' }),
    finding('cold_audience', 'warning', { field: 'pace' }),
  ];
  expect(withRuled(own, null).map(({ rule }) => rule)).toEqual(['link_target', 'image_width']);
  const all = withRuled(own, ruled);
  expect(all.map(({ rule }) => rule)).toEqual(['sender', 'link_target', 'cold_audience', 'image_width']);
  expect(all[1]).toMatchObject({ offset: 9 });
  expect(problemsOf(all)).toHaveLength(3);
});

it('what the API finds in a variant is kept, which the editor of the campaign does not read', () => {
  const own = [finding('unsubscribe_missing', 'error', { field: 'type' })];
  const ofVariant = finding('unsubscribe_missing', 'error', { isOfVariant: true, text: 'Variant B' });
  expect(withRuled(own, [...own, ofVariant])).toEqual([...own, ofVariant]);
});

it('a finding is at the line and column where its element begins', () => {
  const body = '<p>Hello</p>\n<p>Go to <a href="">Shop</a></p>';
  expect(positionOf(body, body.indexOf('<a '))).toEqual({ line: 2, column: 10 });
});

it('what no field of the form decides is mended on another page', () => {
  expect(pageOf(finding('dmarc', 'warning'))?.page).toBe('domains');
  expect(pageOf(finding('link_target', 'error'))).toBeUndefined();
});
