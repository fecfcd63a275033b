/** Ids have GraphQL's type ID; they are recognized by name. */
export const isIdName = (field: string): boolean => field === 'id' || field.endsWith('Id');

export const pascal = (name: string): string =>
  name.replace(/^_*(.)/, (_all, first: string) => first.toUpperCase());

/** `parent` and `field` as one type name; the type of a list's items is singular. */
export const nestedName = (parent: string, field: string, isItem = false): string =>
  parent.replace(/Input$/, '') + pascal(isItem ? field.replace(/s$/, '') : field);
