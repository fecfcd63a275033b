// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Removes control characters except tabs and line ends. Readers do not see them, and some mail servers refuse them. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '');
}
