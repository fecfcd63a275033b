import { readFilterFacts } from '../../audience/segments/index.ts';
import { intervalMs } from '../../automation/workflows/contract.ts';
import {
  asObject,
  dateOfContact,
  entryOf,
  findEntry,
  type WorkflowRow,
} from '../../automation/workflows/index.ts';
import type { EntryFacts } from './checks/entry.rules.ts';
import type { Reading } from './read-facts.ts';

/** What is known of the entries of a contact in a workflow, and of what keeps it out. */
export async function readEntry(
  { db, projectId, project }: Reading,
  workflow: WorkflowRow,
  person: { id: string } | null,
): Promise<EntryFacts> {
  const rules = entryOf(workflow.entry);
  if (!person) return { rules, judged: null, record: null, date: null };
  const contact = { projectId, contactId: person.id };
  const record = await findEntry(db, { ...contact, workflowId: workflow.id });
  return {
    rules,
    judged: rules.filter === null ? null : await readFilterFacts(db, contact, rules.filter),
    record: record && {
      ...record,
      until: rules.every && new Date(record.lastAt.getTime() + intervalMs(rules.every)),
    },
    date:
      workflow.triggerType === 'DATE'
        ? await dateOfContact(db, contact, workflow, asObject(workflow.triggerConfig), project.now)
        : null,
  };
}
