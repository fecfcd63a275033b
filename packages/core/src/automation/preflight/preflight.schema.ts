import { z } from 'zod';
import { namedEnum, typeNames } from '../../base/kernel/schemas.ts';
import { findingLevels } from './found.rules.ts';
import { preflightRules, type RuleName } from './preflight.rules.ts';

const names = preflightRules.map(({ name }) => name) as [RuleName, ...RuleName[]];

export const preflightRule = namedEnum('PreflightRule', names);

/** One thing that the checks before sending have found. */
export const preflightFinding = z
  .object({
    rule: preflightRule.describe('What was checked.'),
    level: namedEnum('PreflightLevel', findingLevels).describe(
      'An `error` should not be sent, a `warning` should be looked at, a `hint` makes it better.',
    ),
    blocks: z.boolean().meta({
      description: 'Whether it refuses a send in any project, also where it is acknowledged.',
      examples: [false],
    }),
    field: z
      .string()
      .nullable()
      .meta({
        description: 'Field of the campaign that it is about; null for what no field of it decides.',
        examples: [null],
      }),
    offset: z
      .int()
      .min(0)
      .nullable()
      .meta({
        description: 'Where in the text of the field, in UTF-16 units from 0; null for all of it.',
        examples: [null],
      }),
    message: z.string().meta({
      description: 'The problem, and what solves it.',
      examples: ['Many countries require a postal address in marketing email'],
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        'Further facts: `count` contacts, `estimated` where that comes from a sample; of what blocks, `code` and the details of the error of `send`.',
      examples: [{}],
    }),
  })
  .register(typeNames, { name: 'PreflightFinding' });
