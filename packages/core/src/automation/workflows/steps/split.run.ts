import { each, type StepRun } from '../runtime/step-run.ts';
import { branchOfDraw, drawOf } from './draw.ts';
import type { StepConfigs } from './steps.schema.ts';

export const splitRun: StepRun<StepConfigs['SPLIT']> = {
  runSet: (visits, { step, config: { branches } }) =>
    each(visits, ({ member: { contact } }) => {
      const draw = drawOf(step.id, contact.id);
      // The shares are 100 together, so each draw has a branch.
      const branch = branchOfDraw(draw, branches) ?? '';
      return { kind: 'completed', output: { branch, draw }, outcome: { branch } };
    }),
};
