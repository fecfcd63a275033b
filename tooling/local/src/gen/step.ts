import { type FileEdit, insertBefore } from './edits.ts';
import { camel, GenError, typeName } from './names.ts';

/** The output of `npm run gen step`: a type of workflow step, from the enum of the database to the form of the dashboard. */

export interface NewStep {
  /** in files, e.g. `update-contact` */
  file: string;
  /** in the database and the API, e.g. `UPDATE_CONTACT` */
  type: string;
}

/** @throws GenError naming what is missing */
export function readStepArguments([, file]: string[]): NewStep {
  if (!file || !/^[a-z]+(-[a-z]+)*$/.test(file))
    throw new GenError('the name is in kebab-case, such as add-to-segment');
  return { file, type: typeName(file) };
}

const core = 'packages/core/src/automation/workflows/steps';
const views = 'apps/dashboard/src/features/workflows/steps';

/** New files, by their paths. @param stamp names the folder of the migration */
export const newStepFiles = (step: NewStep, stamp: string): Record<string, string> => ({
  [`packages/core/prisma/migrations/${stamp}_step_${step.type.toLowerCase()}/migration.sql`]: `-- A new type of workflow step.\nALTER TYPE "StepType" ADD VALUE '${step.type}' BEFORE 'EXIT';\n`,
  [`${core}/${step.file}.step.ts`]: definitionSource(step),
  [`${core}/${step.file}.run.ts`]: runSource(step),
  [`${views}/${step.file}.tsx`]: viewSource(step),
});

function definitionSource({ file, type }: NewStep): string {
  const label = file.charAt(0).toUpperCase() + file.slice(1).replaceAll('-', ' ');
  return `import { z } from 'zod';
import { defineStep } from './step.rules.ts';

export const ${camel(file)}Step = defineStep({
  type: '${type}',
  label: '${label}',
  config: z.object({}),
  example: {},
  waysOut: { kind: 'one' },
  reads: () => [],
  holdsTemplates: false,
});
`;
}

const runSource = ({
  file,
  type,
}: NewStep): string => `import { each, type StepRun } from '../runtime/step-run.ts';
import type { StepConfigs } from './steps.schema.ts';

export const ${camel(file)}Run: StepRun<StepConfigs['${type}']> = {
  runSet: (visits) => each(visits, () => ({ kind: 'failed', error: '${type} is not written yet' })),
};
`;

const viewSource = ({
  file,
  type,
}: NewStep): string => `import type { StepConfigInputs, StepConfigs } from '@postrider/core/automation/workflows/contract';
import type { StepView } from './step-view.ts';

export const ${camel(file)}View: StepView<StepConfigs['${type}'], StepConfigInputs['${type}']> = {
  icon: 'fork',
  does: 'Say in a few words what this does',
  summary: () => '',
  Fields: null,
  read: () => ({}),
  completed: () => 'Done',
};
`;

/** The line of the new type in each list of types. A missing entry is a compile error. */
export function stepEdits({ file, type }: NewStep): FileEdit[] {
  const name = camel(file);
  const list = (path: string, part: string, from: string): FileEdit => ({
    path,
    edit: (source) =>
      `import { ${name}${part} } from './${file}.${from}';\n${insertBefore(source, /\n {2}EXIT: exit\w+,\n/, `\n  ${type}: ${name}${part},`)}`,
  });
  return [
    {
      path: 'packages/core/prisma/schema/workflows.prisma',
      edit: (source) => insertBefore(source, /\n {2}EXIT\n/, `\n  ${type}`),
    },
    list(`${core}/steps.schema.ts`, 'Step', 'step.ts'),
    list(`${core}/step-runs.ts`, 'Run', 'run.ts'),
    list(`${views}/step-views.ts`, 'View', 'tsx'),
  ];
}
