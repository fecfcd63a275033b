/** Removes what PostgreSQL does not store in texts and JSON: U+0000 and unpaired surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
