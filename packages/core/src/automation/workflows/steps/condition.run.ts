import type { StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

export const conditionRun: StepRun<StepConfigs['CONDITION']> = {
  async runSet(visits, { config, now, project, stepIdOf }, tools) {
    const members = visits.map(({ member }) => member);
    const evaluated = await tools.evaluate(members, config, {
      now,
      timeZone: project.timeZone,
      projectId: project.id,
      stepIdOf,
    });
    return evaluated.map(({ branch, output }) => ({
      kind: 'completed',
      output: { ...output, branch },
      outcome: { branch },
    }));
  },
};
