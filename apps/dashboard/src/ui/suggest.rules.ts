/** The most suggestions that are shown at once; typing narrows them down. */
const shown = 50;

/** The suggestions that contain the text, in any case; none if the text is already the only one of them. */
export function matching(suggestions: readonly string[], text: string): string[] {
  const wanted = text.trim().toLowerCase();
  const found = suggestions.filter((each) => each.toLowerCase().includes(wanted)).slice(0, shown);
  return found.length === 1 && found[0] === text ? [] : found;
}
