/**
 * Characters that show nothing: zero-width and directional ones, the soft hyphen, the combining grapheme joiner, and the blanks that HTML
 * does not collapse. Newsletters fill the preview line of the inbox with them.
 */
const FILLER = '\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u2060-\\u2064\\ufeff\\u00a0\\u2007';
const WHITE_SPACE = ' \\t\\n\\r\\f';

const ANY_FILLER = new RegExp(`[${FILLER}]`);
const FILLERS = new RegExp(`[${FILLER}]`, 'g');
const PIECES = new RegExp(`[${FILLER}${WHITE_SPACE}]+|[^${FILLER}${WHITE_SPACE}]+`, 'g');
const BLANK = new RegExp(`^[${FILLER}${WHITE_SPACE}]*$`);
const BLANK_START = new RegExp(`^[${FILLER}${WHITE_SPACE}]`);
const FILLER_AT_END = new RegExp(`^[${FILLER}]|[${FILLER}]$`);
const RUN = new RegExp(`(?:[${FILLER}][${WHITE_SPACE}]*){3}`);

export const hasFillers = (text: string): boolean => ANY_FILLER.test(text);

export const countFillers = (text: string): number => text.match(FILLERS)?.length ?? 0;

/** Whether nothing of a text can be seen. */
export const isBlankText = (text: string): boolean => BLANK.test(text);

/** Whether a text has a blank, not only characters without width. */
export const isWide = (text: string): boolean => /[ \t\n\r\f\u00a0\u2007]/.test(text);

/** Whether the text around a value, or the value itself, may hold a run that is left out. */
export const mayHoldRun = (value: string): boolean => FILLER_AT_END.test(value) || RUN.test(value);

/** The text in pieces that can be seen and pieces that cannot. */
export function* splitAtFillers(text: string): Generator<{ text: string; isBlank: boolean }> {
  for (const [piece] of text.matchAll(PIECES)) yield { text: piece, isBlank: BLANK_START.test(piece) };
}
