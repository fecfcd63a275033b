/** What liquidjs takes for blank, as the inside of a character class. */
export const BLANKS = '\\t-\\r \\u00a0\\u1680\\u180e\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const BLANK = new RegExp(`[${BLANKS}]`);

export const isBlank = (char: string): boolean => BLANK.test(char);

/**
 * The text without the blanks at its ends. By hand, because a pattern such as `[ ]+$` tries every blank within the text
 * as the beginning of its end, which is quadratic.
 */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charAt(from))) from++;
  while (to > from && isBlank(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
