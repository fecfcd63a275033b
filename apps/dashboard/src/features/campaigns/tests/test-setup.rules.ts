import { mostVariants, type VariantKey, variantKeys } from '@postrider/core/automation/campaigns/contract';
import { retitled } from '@postrider/core/content/templates/contract';
import type { Campaign, CampaignInput } from '../../../lib/api.ts';
import type { DesignedContent } from '../../mail-editor/content/content.rules.ts';

type GivenTest = NonNullable<CampaignInput['test']>;
export type GivenVariant = GivenTest['variants'][number];

/** A test as the composer edits it: every setting is there. */
export type TestSetup = Pick<GivenTest, 'variants'> &
  Pick<NonNullable<Campaign['test']>, 'sample' | 'metric' | 'hours' | 'decide'>;

export const metricNames: Readonly<Record<TestSetup['metric'], string>> = {
  CLICKS: 'Clicks',
  GOAL: 'Reaching the goal',
  REVENUE: 'Revenue of the goal',
  OPENS: 'Opens',
};

export const decideNames: Readonly<Record<TestSetup['decide'], string>> = {
  AUTOMATIC: 'The winner goes out by itself',
  MANUAL: 'I choose the winner',
};

const firstTest: TestSetup = { variants: [], sample: 20, metric: 'CLICKS', hours: 4, decide: 'AUTOMATIC' };

/** The settings of a test, without how far it is. */
export const setupOf = (test: Campaign['test'] | CampaignInput['test']): TestSetup | null =>
  test
    ? {
        variants: test.variants.map((variant) => ({ ...variant })),
        sample: test.sample ?? firstTest.sample,
        metric: test.metric ?? firstTest.metric,
        hours: test.hours ?? firstTest.hours,
        decide: test.decide ?? firstTest.decide,
      }
    : null;

/** A test as the text of a form field; empty for none. */
export const writeTest = (setup: TestSetup | null): string => (setup ? JSON.stringify(setup) : '');

/** Reads the test that a form holds as text; null for none, and for what is none. */
export function parseTest(text: string | undefined): TestSetup | null {
  if (!text) return null;
  try {
    const value = JSON.parse(text) as TestSetup | null;
    return Array.isArray(value?.variants) ? setupOf(value) : null;
  } catch {
    return null;
  }
}

const compared = ['subject', 'preheader', 'from', 'fromName', 'replyTo'] as const;

/** The email of a variant: that of the campaign with the fields in which it differs. */
export function contentOfVariant(campaign: DesignedContent, variant: GivenVariant): DesignedContent {
  const content = { ...campaign };
  if (typeof variant.subject === 'string') content.subject = variant.subject;
  if (variant.preheader !== undefined) content.preheader = variant.preheader;
  if (typeof variant.from === 'string') content.from = variant.from;
  if (variant.fromName !== undefined) content.fromName = variant.fromName;
  if (variant.replyTo !== undefined) content.replyTo = variant.replyTo as string | null;
  if (typeof variant.body === 'string') {
    content.body = variant.body;
    content.design = variant.design ?? null;
    content.text = null;
  }
  return content;
}

/** In which fields an email differs from that of the campaign; none for the same email. */
export function variantOf(campaign: DesignedContent, content: DesignedContent): GivenVariant {
  const variant: GivenVariant = {};
  for (const field of compared)
    if (content[field] !== campaign[field]) Object.assign(variant, { [field]: content[field] });
  // The title of a designed body is its subject, and makes no other email of it.
  if (retitled(content.body, content.subject, campaign.subject) !== campaign.body) {
    variant.body = content.body;
    if (content.design) variant.design = content.design;
  }
  return variant;
}

export const isEmpty = (variant: GivenVariant): boolean =>
  Object.values(variant).every((value) => value === undefined);

const fieldNames: Readonly<Record<string, string>> = {
  subject: 'subject',
  preheader: 'preheader',
  body: 'email',
  from: 'sender',
  fromName: 'sender’s name',
  replyTo: 'reply-to',
};

/** What differs, in words: “subject and email”. */
export function differsIn(variant: GivenVariant): string {
  const names = Object.entries(fieldNames).flatMap(([field, name]) =>
    variant[field as keyof GivenVariant] === undefined ? [] : [name],
  );
  if (names.length === 0) return 'nothing yet';
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The key of the variant at this place, from B on. */
export const keyAt = (index: number): VariantKey => variantKeys[index + 1] ?? 'H';

export const canAdd = (setup: TestSetup | null): boolean => (setup?.variants.length ?? 0) < mostVariants;

/** The test with one more variant, or with another one at its place. */
export function withVariant(setup: TestSetup | null, index: number, variant: GivenVariant): TestSetup {
  const test = setup ?? firstTest;
  const variants = [...test.variants];
  variants[index] = variant;
  return { ...test, variants };
}

/** The test without a variant; none without the last one. */
export function withoutVariant(setup: TestSetup, index: number): TestSetup | null {
  const variants = setup.variants.filter((_, place) => place !== index);
  return variants.length === 0 ? null : { ...setup, variants };
}
