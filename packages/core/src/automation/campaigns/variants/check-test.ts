import { type Context, type FieldError, invalid, projectIdOf } from '../../../base/kernel/index.ts';
import { designOf, type TemplateText, textsOf } from '../../../content/templates/index.ts';
import { requireVerifiedSender } from '../../../people/domains/index.ts';
import { findGoal } from '../../goals/index.ts';
import { contentOfVariant, type StoredTest, type StoredVariant } from './variants.rules.ts';
import type { GivenTest } from './variants.schema.ts';

interface Tested {
  from: string;
  test?: GivenTest | null | undefined;
  goalId?: string | null | undefined;
  pace?: { careful: boolean } | null | undefined;
}

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * Checks what a test needs of its campaign.
 *
 * @throws AppError VALIDATION_ERROR
 */
export async function assertTest(ctx: Context, { from, test, goalId, pace }: Tested): Promise<void> {
  if (!test) return;
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string, code: 'custom' | 'required' = 'custom') =>
    errors.push({ field, code, message });
  for (const [index, variant] of test.variants.entries()) {
    if (variant.from !== undefined && hostOf(variant.from) !== hostOf(from))
      refuse(`test.variants.${index}.from`, 'The sender of a variant must have the domain of the campaign');
  }
  if (pace?.careful)
    refuse('pace.careful', 'A campaign with a test begins with its sample, and is in no other waves');
  if (test.metric === 'GOAL' || test.metric === 'REVENUE') {
    if ((goalId ?? null) === null) refuse('goalId', 'Required', 'required');
    else if (test.metric === 'REVENUE') {
      const goal = await findGoal(ctx.db, projectIdOf(ctx), goalId ?? '');
      if (goal && goal.valueProperty === null) refuse('test.metric', 'The goal of the campaign has no value');
    }
  }
  if (errors.length > 0) throw invalid(errors);
}

/** @throws AppError as `requireVerifiedSender` does, for the senders of the variants */
export async function requireSendersOfTest(ctx: Context, { from, test }: Tested): Promise<void> {
  if (!test) return;
  const senders = new Set(
    test.variants.flatMap((variant) => (variant.from === undefined ? [] : [variant.from])),
  );
  for (const sender of senders) if (sender !== from) await requireVerifiedSender(ctx, sender);
}

/** The texts of the variants, by their fields in a request. */
export const textsOfTest = (
  test: Pick<GivenTest, 'variants'> | StoredTest | null | undefined,
): TemplateText[] =>
  (test?.variants ?? []).flatMap((variant, index) =>
    textsOf({ subject: variant.subject, preheader: variant.preheader, body: variant.body }).map((text) => ({
      ...text,
      field: `test.variants.${index}.${text.field}`,
    })),
  );

/** What the variants take of the storage: as JSON, in which they are stored. */
export const bytesOfTest = (test: unknown): number => (test ? Buffer.byteLength(JSON.stringify(test)) : 0);

/**
 * The test as it is stored. As with a campaign, a design stays while the body that was made from it does.
 *
 * @param before the test that is replaced
 */
export function storedTest(test: GivenTest | null | undefined, before: StoredTest | null): StoredTest | null {
  if (!test) return null;
  const variants = test.variants.map(({ design, ...given }, index): StoredVariant => {
    const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    if (given.body === undefined) return own;
    const earlier = before?.variants[index];
    const source = earlier?.body === undefined ? null : { body: earlier.body, design: earlier.design };
    return { ...own, design: designOf({ body: given.body, design }, source) };
  });
  return { ...test, variants };
}

/** The variants, by their place, that are as the campaign itself. */
export function equalVariants(
  campaign: Parameters<typeof contentOfVariant>[0],
  test: StoredTest | null,
): number[] {
  const { text: _text, ...original } = contentOfVariant(campaign, test, 1);
  return (test?.variants ?? []).flatMap((_, index) => {
    const { text: _own, ...content } = contentOfVariant(campaign, test, index + 2);
    return Object.entries(content).every(
      ([field, value]) => original[field as keyof typeof original] === value,
    )
      ? [index]
      : [];
  });
}
