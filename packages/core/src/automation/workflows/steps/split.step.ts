import { z } from 'zod';
import { requiredText } from '../../../base/kernel/schemas.ts';
import { branchName } from './condition.step.ts';
import { defineStep } from './step.rules.ts';

export const mostShares = 10;

const splitConfig = z
  .object({
    branches: z
      .array(
        z
          .object({
            id: requiredText(100).meta({
              description: 'Id of the branch, unique in the step.',
              examples: ['a'],
            }),
            name: branchName.meta({ description: 'Name of the branch.', examples: ['Short series'] }),
            percent: z
              .int()
              .min(0)
              .max(100)
              .meta({ description: 'Share of the contacts.', examples: [50] }),
          })
          .meta({ 'x-name': 'SplitShare' }),
      )
      .min(2)
      .max(mostShares)
      .describe('The branches, 2 to 10, whose shares are 100 together.'),
    holdout: requiredText(100)
      .optional()
      .describe('Id of the branch whose contacts are held out, and compared with the others.'),
  })
  .superRefine(({ branches, holdout }, ctx) => {
    const complain = (path: (string | number)[], message: string) =>
      ctx.addIssue({ code: 'custom', path, params: { code: 'custom' }, message });
    branches.forEach(({ id }, index) => {
      if (branches.findIndex((each) => each.id === id) < index)
        complain(['branches', index, 'id'], 'Two branches have this id');
    });
    const sum = branches.reduce((total, { percent }) => total + percent, 0);
    if (sum !== 100) complain(['branches'], `The shares are ${sum} together, and must be 100`);
    if (holdout !== undefined && branches.every(({ id }) => id !== holdout))
      complain(['holdout'], 'No branch has this id');
  });

/** Sends each contact one of several ways, by a draw that is the same every time. */
export const splitStep = defineStep({
  type: 'SPLIT',
  label: 'Split',
  config: splitConfig,
  example: {
    branches: [
      { id: 'a', name: 'A', percent: 50 },
      { id: 'b', name: 'B', percent: 50 },
    ],
  },
  waysOut: { kind: 'branches', of: ({ branches }) => branches.map(({ id, name }) => ({ id, name })) },
  reads: () => [],
  holdsTemplates: false,
});
