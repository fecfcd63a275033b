import type { Design } from '../../../content/templates/design.schema.ts';
import type { EmailContent } from '../../../content/templates/email-content.schema.ts';
import { retitled } from '../../../content/templates/title.rules.ts';
import type { LinkTags } from '../../../mail/message/link-tags.rules.ts';

/** What a test compares (behaviour B13.12): A is the content of the campaign itself. */
export const variantKeys = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const;
export type VariantKey = (typeof variantKeys)[number];

/** The number that emails and figures have for what is not in the sample. */
export const restNumber = 0;

/** Emails and figures have numbers from 1. */
export const numberOfKey = (key: VariantKey): number => variantKeys.indexOf(key) + 1;

/** @throws RangeError for a number that no variant has */
export function keyOfNumber(number: number): VariantKey {
  const key = variantKeys[number - 1];
  if (key === undefined) throw new RangeError(`no variant has the number ${number}`);
  return key;
}

export const testMetrics = ['CLICKS', 'GOAL', 'REVENUE', 'OPENS'] as const;
export type TestMetric = (typeof testMetrics)[number];

export const testDecisions = ['AUTOMATIC', 'MANUAL'] as const;
export type TestDecision = (typeof testDecisions)[number];

export const testStates = ['RUNNING', 'UNDECIDED', 'DECIDED'] as const;
export type TestState = (typeof testStates)[number];

export const testDeciders = ['EVIDENCE', 'END', 'USER'] as const;
export type TestDecider = (typeof testDeciders)[number];

/** In which fields a variant differs from the campaign; those that are absent are the campaign's. */
export interface StoredVariant {
  subject?: string;
  preheader?: string | null;
  body?: string;
  /** of its body */
  design?: Design | null;
  from?: string;
  fromName?: string | null;
  replyTo?: string | null;
}

export interface StoredTest {
  /** B to H */
  variants: StoredVariant[];
  /** percent of the audience, without those that are held out */
  sample: number;
  metric: TestMetric;
  hours: number;
  decide: TestDecision;
}

/** The keys of what a test compares, A included. */
export const keysOf = ({ variants }: Pick<StoredTest, 'variants'>): VariantKey[] =>
  variantKeys.slice(0, variants.length + 1);

/**
 * The content of a variant. A body of its own has no plain text by the campaign, which says what the other body does: it is made from the body.
 * A body of the campaign whose title is the campaign's subject has that of the variant.
 *
 * @param number from 1, for the content of the campaign
 */
export function contentOfVariant(
  campaign: EmailContent,
  test: Pick<StoredTest, 'variants'> | null,
  number: number,
): EmailContent {
  const { design: _design, ...own } = test?.variants[number - 2] ?? {};
  const { subject, preheader, body, text, from, fromName, replyTo, type } = campaign;
  const content = { subject, preheader, body, text, from, fromName, replyTo, type, ...own };
  return own.body === undefined
    ? { ...content, body: retitled(body, subject, content.subject) }
    : { ...content, text: null };
}

/** Tags of links that name the variant, for emails of a test; those of other campaigns as they are. */
export const ofVariant = (
  tags: LinkTags | null,
  { test }: { test?: unknown },
  number: number,
): LinkTags | null => (tags === null || test == null ? tags : { ...tags, content: keyOfNumber(number) });

/** The same test without the documents of the visual editor, which decide nothing. */
export const withoutDesigns = <Test extends Pick<StoredTest, 'variants'>>(test: Test): Test => ({
  ...test,
  variants: test.variants.map(({ design: _design, ...variant }) => variant),
});

export const mostVariants = variantKeys.length - 1;

/** The 2³² equal parts of a draw. */
const parts = 2 ** 32;

/**
 * What the draw gives a contact: null for one that is held out, 0 for the rest, else the number of a variant.
 *
 * @param draw the first 32 bits of MD5(campaign id ‖ contact id)
 * @param holdout percent of the audience
 * @param sample percent of those that are not held out
 * @param variants A included
 */
export function variantOfDraw(
  draw: number,
  { holdout, sample, variants }: { holdout: number; sample: number; variants: number },
): number | null {
  const held = holdout / 100;
  if (draw < held * parts) return null;
  const v = (draw / parts - held) / (1 - held);
  const share = sample / 100;
  return v < share ? Math.min(variants, 1 + Math.floor((v * variants) / share)) : restNumber;
}
