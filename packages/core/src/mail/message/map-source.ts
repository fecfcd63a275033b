/** Rewrites a template's literal text and its tags, in one pass; `next` is the beginning of the tag after a text. */
export function mapSource(
  source: string,
  write: { literal(text: string, next: string): string; tag(text: string): string },
): string {
  let result = '';
  let at = 0;
  for (;;) {
    const start = nextTag(source, at);
    const end = start < 0 ? -1 : source.indexOf(source.startsWith('{{', start) ? '}}' : '%}', start + 2);
    if (end < 0) return result + write.literal(source.slice(at), '');
    result +=
      write.literal(source.slice(at, start), source.slice(start, start + 3)) +
      write.tag(source.slice(start, end + 2));
    at = end + 2;
  }
}

function nextTag(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at >= 0; at = source.indexOf('{', at + 1)) {
    const next = source.charAt(at + 1);
    if (next === '{' || next === '%') return at;
  }
  return -1;
}
