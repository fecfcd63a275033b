import type { ContactField } from '../../../lib/api.ts';

/** Display names of field types. */
export const fieldTypes: Readonly<Record<ContactField['type'], string>> = {
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  list: 'List',
};

/** Display names of the types that a field can be defined to have. */
export const definedTypes: Readonly<Record<NonNullable<ContactField['definition']>['type'], string>> = {
  TEXT: 'Text',
  NUMBER: 'Number',
  BOOLEAN: 'Yes or no',
  DATE: 'Date',
  DATETIME: 'Date and time',
  LIST: 'List',
};

const prefix = 'data.';

/** A field from contact data, as opposed to the standard fields that every contact has. */
export const isCustom = (field: string): boolean => field.startsWith(prefix);

/** The key in a contact's data. */
export const fieldKey = (field: string): string => (isCustom(field) ? field.slice(prefix.length) : field);
