import { z } from 'zod';
import { clearable, namedEnum, notGiven, requiredEnum, typeNames } from '../../base/kernel/schemas.ts';

/** Which campaigns a second person has to approve (behaviour B13.9). */
const approvalRequirement = namedEnum('ApprovalRequirement', ['NEVER', 'ABOVE', 'ALWAYS']);

/** The most recipients that a limit can name. */
export const mostUnapproved = 100_000_000;

const words = {
  required: {
    description:
      '`NEVER`; `ALWAYS`; or `ABOVE`, only for campaigns with more recipients than `above`. What a key of the scope `agent` sends needs an approval in any case.',
    examples: ['ABOVE'],
  },
  above: {
    description: 'The most recipients for which no approval is needed. Required by `ABOVE`, null otherwise.',
    examples: [1_000],
  },
};

const approvalMeaning =
  'Which campaigns an owner or admin has to approve who has neither asked for it nor changed them last.';

export const approvalSettings = z
  .object({
    required: approvalRequirement.meta(words.required),
    above: z.int().nullable().meta(words.above),
  })
  .describe(approvalMeaning)
  .register(typeNames, { name: 'ProjectApproval' });

export type ApprovalSettings = z.output<typeof approvalSettings>;

export const approvalChange = notGiven(
  z
    .object({
      required: requiredEnum(approvalRequirement).meta(words.required),
      above: clearable(z.int().min(0).max(mostUnapproved)).meta(words.above),
    })
    .refine(({ required, above }) => required !== 'ABOVE' || (above ?? null) !== null, {
      params: { code: 'required' },
      message: 'Required',
      path: ['above'],
    })
    .transform(({ required, above }) => ({ required, above: required === 'ABOVE' ? (above ?? null) : null })),
).meta({ description: `${approvalMeaning} Replaces the earlier setting as a whole.` });
