const longest = 40;

/** A text as part of a sentence. */
export const short = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
