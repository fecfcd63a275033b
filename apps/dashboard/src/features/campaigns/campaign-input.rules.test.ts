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
