import type { ContactField } from '../../lib/api.ts';

/** Types of values as people say them. */
export const fieldTypes: Readonly<Record<ContactField['type'], string>> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  date: 'date',
};

const prefix = 'data.';

/** A field that somebody's data brought along, in contrast to those that every contact has. */
export const isCustom = (field: string): boolean => field.startsWith(prefix);

/** The name as it stands in a contact's data. */
export const fieldKey = (field: string): string => (isCustom(field) ? field.slice(prefix.length) : field);
