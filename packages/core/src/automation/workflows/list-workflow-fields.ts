import { listContactFields } from '../../audience/contacts/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { workflowFieldsInput, workflowFieldsOutput } from './workflows.schema.ts';
import { recentEventKeys } from './workflows.store.ts';

export const listWorkflowFields = query({
  name: 'workflows.fields',
  summary: 'Lists the fields that conditions can use',
  permission: 'data:read',
  input: workflowFieldsInput,
  output: workflowFieldsOutput,
  async handler(ctx, { eventName }) {
    const [contact, event] = await Promise.all([
      listContactFields.run(ctx, {}),
      recentEventKeys(ctx.db, projectIdOf(ctx), eventName),
    ]);
    const isCustom = ({ field }: { field: string }): boolean => field.startsWith('data.');
    const typedFields = [
      ...contact.fields
        .filter((each) => !isCustom(each))
        .map(({ field, type }) => ({
          field: `contact.${field}`,
          type,
          category: 'Contact Fields' as const,
        })),
      ...contact.fields
        .filter(isCustom)
        .map(({ field, type }) => ({ field, type, category: 'Custom Data' as const })),
      ...event.map(({ key, type }) => ({ field: `event.${key}`, type, category: 'Event Data' as const })),
    ];
    return { fields: typedFields.map(({ field }) => field), typedFields, count: typedFields.length };
  },
});
