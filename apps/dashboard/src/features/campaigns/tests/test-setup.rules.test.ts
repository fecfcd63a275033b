import { describe, expect, it } from 'vitest';
import type { DesignedContent } from '../../mail-editor/content/content.rules.ts';
import {
  canAdd,
  contentOfVariant,
  differsIn,
  keyAt,
  parseTest,
  variantOf,
  withoutVariant,
  withVariant,
  writeTest,
} from './test-setup.rules.ts';

const campaign: DesignedContent = {
  subject: 'Hello',
  preheader: 'Soon',
  body: '<p>Hi</p>',
  text: 'Hi',
  design: { version: 1 },
  from: 'news@shop.test',
  fromName: null,
  replyTo: null,
  type: 'MARKETING',
};

describe('a variant', () => {
  it.each([
    [{ subject: 'Other' }, 'subject'],
    [{ preheader: null }, 'preheader'],
    [{ subject: 'Other', fromName: 'Anna', replyTo: 'a@shop.test' }, 'subject, sender’s name and reply-to'],
    [{ body: '<p>Other</p>', design: { version: 2 } }, 'email'],
  ])('keeps only what differs: %j', (variant, words) => {
    const content = contentOfVariant(campaign, variant);
    expect(variantOf(campaign, content)).toEqual(variant);
    expect(differsIn(variant)).toBe(words);
  });

  it('with an email of its own has no plain text of the other one', () => {
    expect(contentOfVariant(campaign, { body: '<p>Other</p>' })).toMatchObject({ text: null, design: null });
    expect(contentOfVariant(campaign, { subject: 'Other' })).toMatchObject({ text: 'Hi' });
  });

  it('with another subject only has no email of its own, though a designed body has the subject as its title', () => {
    const designed = { ...campaign, body: '<title>Hello</title><p>Hi</p>' };
    const other = { ...designed, subject: 'Tom & I', body: '<title>Tom &amp; I</title><p>Hi</p>' };
    expect(variantOf(designed, other)).toEqual({ subject: 'Tom & I' });
  });

  it('that is the same differs in nothing', () => {
    expect(variantOf(campaign, campaign)).toEqual({});
    expect(differsIn({})).toBe('nothing yet');
  });
});

describe('a test', () => {
  it('begins with its first variant, has up to seven, and ends with its last', () => {
    let setup = withVariant(null, 0, { subject: 'B' });
    expect(setup).toMatchObject({ sample: 20, metric: 'CLICKS', hours: 4, decide: 'AUTOMATIC' });
    for (let index = 1; index < 7; index += 1) setup = withVariant(setup, index, { subject: keyAt(index) });
    expect(setup.variants.map(({ subject }) => subject).join('')).toBe('BCDEFGH');
    expect(canAdd(setup)).toBe(false);
    const fewer = withoutVariant(setup, 0);
    expect(fewer?.variants[0]).toEqual({ subject: 'C' });
    expect(withoutVariant({ ...setup, variants: [{ subject: 'B' }] }, 0)).toBeNull();
  });

  it('is kept by the form as text', () => {
    const setup = withVariant(null, 0, { subject: 'B' });
    expect(parseTest(writeTest(setup))).toEqual(setup);
    for (const nothing of [undefined, '', 'null', '{', '{"variants":1}'])
      expect(parseTest(nothing)).toBeNull();
    expect(writeTest(null)).toBe('');
  });
});
