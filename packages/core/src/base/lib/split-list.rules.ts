/** The entries of a comma-separated list, without blanks and empty ones. */
export const splitList = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
