/** The fields of contact data that a name is read from. */
export const nameFields = ['firstName', 'lastName', 'name'] as const;

/** The most of each field that is shown, and that a search looks at. */
export const maxNamePart = 100;

/**
 * The name of a contact, from its data: first and last name, else `name`, which is a whole one, else whichever of the two is there. Null
 * where none of them is a text.
 */
export function nameOf(data: Readonly<Record<string, unknown>>): string | null {
  const [first, last, whole] = nameFields.map((field) => partOf(data[field]));
  const both = [first, last].filter((part) => part !== '').join(' ');
  return (first !== '' && last !== '' ? both : whole || both) || null;
}

const partOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxNamePart).replace(/\s+/g, ' ').trim() : '';
