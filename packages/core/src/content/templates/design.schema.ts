import { z } from 'zod';

/** Limits of a design: characters of its JSON, and levels of nesting. */
export const designLimit = 1_000_000;
export const designDepth = 100;

const document = z.record(z.string(), z.unknown());

export type Design = z.output<typeof document>;

/** A design as a caller sends it: absent leaves the decision to `designOf`, null removes it. */
export const designInput = document
  .refine((design) => !isDeeper(design, designDepth), {
    params: { code: 'too_big' },
    message: `Nested at most ${designDepth} levels deep`,
    abort: true,
  })
  .refine((design) => JSON.stringify(design).length <= designLimit, {
    params: { code: 'too_big' },
    message: `At most ${designLimit} characters of JSON`,
  })
  .nullish()
  .meta({
    description:
      'Document of a visual editor that `body` was made from, at most 1,000,000 characters of JSON and 100 levels deep. It is stored as it is and not checked against `body`. Null removes it. Without it, the stored design stays while `body` stays as it is, and is removed when `body` changes.',
    examples: [{ version: 1, content: {} }],
  });

/** A design as callers see it; lists leave it out. */
export const storedDesign = document
  .nullable()
  .optional()
  .meta({
    description:
      'Document of a visual editor that `body` was made from. A body written as HTML has none, and lists leave it out.',
    examples: [null],
  });

/** A record as callers see it: one whose body was written as HTML has no design. */
export const presentDesign = <Designed extends { design: Design | null }>({
  design,
  ...record
}: Designed): Omit<Designed, 'design'> & { design?: Design } =>
  design === null ? record : { ...record, design };

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

interface Designed {
  body: string;
  design?: unknown;
}

/**
 * The design of a changed record. A request that changes the body without a design comes from a program that writes HTML, so
 * the older design must not overwrite that HTML at the next visual edit.
 */
export function designOf(
  { body, design }: { body?: string | undefined; design?: Design | null | undefined },
  before: Designed | null,
): Design | null {
  if (design !== undefined) return design;
  const isSame = before !== null && (body === undefined || body === before.body);
  return isSame ? ((before.design ?? null) as Design | null) : null;
}
