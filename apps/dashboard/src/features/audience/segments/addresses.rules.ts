/** Splits a text into addresses, separated by newlines, commas, semicolons or spaces. */
export const addressesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((part) => part !== '')),
];
