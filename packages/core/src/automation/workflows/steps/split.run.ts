import { each, type StepRun } from '../runtime/step-run.ts';
import { branchOfDraw, drawOf } from './draw.ts';
import type { StepConfigs } from './steps.schema.ts';

export const splitRun: StepRun<StepConfigs['SPLIT']> = {
  runSet: (visits, { step, config: { branches, holdout } }) =>
    each(visits, ({ member: { contact } }) => {
      const draw = drawOf(step.id, contact.id);
      // The shares are 100 together, so each draw has a branch.
      const branch = branchOfDraw(draw, branches) ?? '';
      const heldOut = branches.find(({ id }) => id === holdout);
      return {
        kind: 'completed',
        output: { branch, draw },
        outcome: { branch },
        ...(heldOut && { holdout: { heldOut: branch === holdout, share: 1 - heldOut.percent / 100 } }),
      };
    }),
};
