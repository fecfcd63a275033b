import { type FileEdit, insertBefore } from './edits.ts';
import { camel, GenError, typeName } from './names.ts';

/** The output of `npm run gen trigger`: a type of workflow trigger, from the enum of the database to the form of the dashboard. */

export interface NewTrigger {
  /** in files, e.g. `segment-entry` */
  file: string;
  /** in the database and the API, e.g. `SEGMENT_ENTRY` */
  type: string;
}

/** @throws GenError naming what is missing */
export function readTriggerArguments([, file]: string[]): NewTrigger {
  if (!file || !/^[a-z]+(-[a-z]+)*$/.test(file))
    throw new GenError('the name is in kebab-case, such as segment-entry');
  return { file, type: typeName(file) };
}

const core = 'packages/core/src/automation/workflows/triggers';
const views = 'apps/dashboard/src/features/workflows/steps/triggers';

/** New files, by their paths. @param stamp names the folder of the migration */
export const newTriggerFiles = ({ file, type }: NewTrigger, stamp: string): Record<string, string> => ({
  [`packages/core/prisma/migrations/${stamp}_trigger_${type.toLowerCase()}/migration.sql`]: `-- A new type of trigger.\nALTER TYPE "TriggerType" ADD VALUE '${type}';\n`,
  [`${core}/${file}.trigger.ts`]: `import { defineTrigger } from './trigger.rules.ts';

export const ${camel(file)}Trigger = defineTrigger({
  type: '${type}',
  label: '${file.charAt(0).toUpperCase()}${file.slice(1).replaceAll('-', ' ')}',
  fields: {},
  needed: null,
  defaults: {},
  subject: () => '${file.replaceAll('-', ' ')}',
  events: () => [],
  isScheduled: false,
  reads: () => [],
});
`,
  [`${views}/${file}-trigger.tsx`]: `import type { TriggerView } from './trigger-view.ts';

export const ${camel(file)}TriggerView: TriggerView = {
  summary: () => 'Say in a few words what starts the workflow',
  missing: '',
  Fields: null,
  read: () => ({}),
};
`,
});

/** The line of the new type in each list of types. A missing entry is a compile error. */
export function triggerEdits({ file, type }: NewTrigger): FileEdit[] {
  const name = camel(file);
  return [
    {
      path: 'packages/core/prisma/schema/workflows.prisma',
      edit: (source) => source.replace(/(enum TriggerType \{[^}]*)\}/, `$1  ${type}\n}`),
    },
    {
      path: `${core}/triggers.schema.ts`,
      edit: (source) => {
        const listed = insertBefore(
          source,
          /\} satisfies \{ \[Type in StoredTriggerType\]/,
          `  ${type}: ${name}Trigger,\n`,
        );
        const taken = insertBefore(
          listed,
          /\}\);\n\nexport type TriggerConfigInput/,
          `  ...${name}Trigger.fields,\n`,
        );
        return `import { ${name}Trigger } from './${file}.trigger.ts';\n${taken}`;
      },
    },
    {
      path: `${views}/trigger-views.ts`,
      edit: (source) =>
        `import { ${name}TriggerView } from './${file}-trigger.tsx';\n${insertBefore(source, /\} satisfies \{ \[Type in TriggerType\]/, `  ${type}: ${name}TriggerView,\n`)}`,
    },
  ];
}
