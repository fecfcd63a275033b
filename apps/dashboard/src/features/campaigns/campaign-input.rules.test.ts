import { expect, it } from 'vitest';
import { newTree } from '../common/filters/filter-tree.rules.ts';
import { type CampaignStart, isSameVersion, readCampaign, valuesOf } from './campaign-input.rules.ts';

const start: CampaignStart = {
  name: 'Spring',
  description: null,
  subject: 'Hello',
  preheader: null,
  body: '<p>Hi</p>',
  text: ' Hi\n',
  design: { version: 1, content: { type: 'doc' } },
  from: 'news@shop.test',
  fromName: 'Shop',
  replyTo: null,
  type: 'HEADLESS',
  topic: null,
  audienceType: 'SEGMENT',
  segmentId: 's1',
  audienceCondition: null,
  templateId: null,
  exemptFromLimits: false,
  guard: true,
  pace: null,
  holdout: 0,
  utm: null,
  goalId: null,
  test: null,
};
type Version = Parameters<typeof isSameVersion>[0];
const version = (change: object): Version => ({ ...start, ...change }) as Version;

it('fields that were not touched save the campaign as it is', () => {
  expect(readCampaign(valuesOf(start), newTree(), null)).toEqual({ ...start, audienceCondition: undefined });
});

it('a campaign that is exempt from the limits stays it, and is another version than one that is not', () => {
  const exempt = { ...start, exemptFromLimits: true };
  expect(readCampaign(valuesOf(exempt), newTree(), null).exemptFromLimits).toBe(true);
  expect(isSameVersion(version({}), version({ exemptFromLimits: true }))).toBe(false);
});

it('a holdout is kept, and an empty field holds out no contact', () => {
  expect(readCampaign(valuesOf({ ...start, holdout: 10 }), newTree(), null).holdout).toBe(10);
  expect(readCampaign({ ...valuesOf(start), holdout: '' }, newTree(), null).holdout).toBe(0);
  expect(isSameVersion(version({}), version({ holdout: 10 }))).toBe(false);
});

it('a goal is kept, and removed by choosing none', () => {
  const meant = { ...start, goalId: 'g1' };
  expect(readCampaign(valuesOf(meant), newTree(), null).goalId).toBe('g1');
  expect(readCampaign({ ...valuesOf(meant), goalId: '' }, newTree(), null).goalId).toBeNull();
  expect(isSameVersion(version({}), version({ goalId: 'g1' }))).toBe(false);
});

it('a test is kept without how far it is, and another version with other variants', () => {
  const setup = {
    variants: [{ subject: 'B' }],
    sample: 10,
    metric: 'GOAL',
    hours: 5,
    decide: 'MANUAL',
  } as const;
  const test = { ...setup, variants: [{ subject: 'B' }], state: null } as unknown as CampaignStart['test'];
  const read = readCampaign(valuesOf({ ...start, test, goalId: 'g1' }), newTree(), null);
  expect(read).toMatchObject({ test: setup, goalId: 'g1' });
  expect(read.test).not.toHaveProperty('state');
  expect(isSameVersion(version({}), version({ test }))).toBe(false);
});

it('a pace is kept, and removed by emptying its field', () => {
  const paced = { ...start, pace: { perHour: 600, careful: true } };
  expect(readCampaign(valuesOf(paced), newTree(), null).pace).toEqual({ perHour: 600, careful: true });
  const { careful: _careful, ...quickly } = valuesOf(paced);
  expect(readCampaign({ ...quickly, 'pace.perHour': '' }, newTree(), null).pace).toBeNull();
  expect(readCampaign({ ...valuesOf(paced), 'pace.perHour': '' }, newTree(), null).pace).toEqual({
    ...{ perHour: null, careful: true },
  });
  expect(isSameVersion(version({}), version({ pace: { perHour: 600, careful: false } }))).toBe(false);
});

it('tags of links are kept, and are those of the project where nothing is said', () => {
  const tagged = { ...start, utm: { enabled: false, campaign: 'spring' } };
  expect(readCampaign(valuesOf(tagged), newTree(), null).utm).toEqual(tagged.utm);
  const values = { ...valuesOf(tagged), 'utm.enabled': '', 'utm.campaign': ' ' };
  expect(readCampaign(values, newTree(), null).utm).toBeNull();
  expect(readCampaign({ ...values, 'utm.enabled': 'on' }, newTree(), null).utm).toEqual({
    ...{ enabled: true, campaign: null },
  });
  expect(isSameVersion(version({}), version({ utm: { enabled: true, campaign: null } }))).toBe(false);
});

it('a campaign without a guard stays so', () => {
  expect(readCampaign(valuesOf({ ...start, guard: false }), newTree(), null).guard).toBe(false);
  expect(isSameVersion(version({}), version({ guard: false }))).toBe(false);
});

it('a segment is not saved with an audience that does not need it', () => {
  expect(readCampaign({ ...valuesOf(start), audienceType: 'ALL' }, newTree(), null)).toMatchObject({
    audienceType: 'ALL',
    segmentId: undefined,
  });
});

it('a version is another one when an edited field differs, not when only its state does', () => {
  const before = version({ status: 'DRAFT', updatedAt: 'a', sentCount: 0 });
  expect(isSameVersion(before, version({ status: 'SCHEDULED', updatedAt: 'b', sentCount: 3 }))).toBe(true);
  expect(
    isSameVersion(before, version({ status: 'DRAFT', updatedAt: 'b', sentCount: 0, subject: 'Bye' })),
  ).toBe(false);
});
