/** Addresses out of a text where they stand one per line, or with commas, semicolons or blanks between them. */
export const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((part) => part !== '')),
];
