import { storable } from '../../../base/lib/index.ts';
import { endReasons } from '../exit-reasons.rules.ts';
import { againMs, each, type StepRun } from '../runtime/step-run.ts';
import { longestExitReason } from './exit.step.ts';
import type { StepConfigs } from './steps.schema.ts';

export const exitRun: StepRun<StepConfigs['EXIT']> = {
  runSet: (visits, { config: { reason: given = '' } }, tools) =>
    each(visits, (visit) => {
      const filled = tools.fill(visit, { values: given });
      if (!filled) return { kind: 'left', afterMs: againMs.texts };
      // What is only shown keeps nobody in the workflow.
      const text = 'problem' in filled ? given : String(filled.texts.values);
      const reason = storable(text).trim().slice(0, longestExitReason).toWellFormed() || endReasons.exitStep;
      return { kind: 'exited', output: { exitReason: reason }, reason };
    }),
};
