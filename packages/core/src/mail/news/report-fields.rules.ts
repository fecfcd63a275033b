/** The fields of one group by their names in lower case; of a repeated field the first. */
export type Fields = ReadonlyMap<string, string>;

/** More groups than a report about one email has; the others are not read. */
const mostGroups = 100;
/** Characters of a field that are read. */
const readLength = 2_000;

/**
 * The groups of fields of a `message/delivery-status` (RFC 3464, 2.1) or `message/feedback-report` part (RFC 5965, 3): groups are separated by
 * empty lines, fields are written and folded like those of a header. Lines that are no field are skipped.
 */
export function fieldGroups(text: string): Fields[] {
  const groups: Fields[] = [];
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    const fields = new Map<string, string>();
    for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const match = /^([!-9;-~]+)[ \t]*:/.exec(line.slice(0, readLength));
      const name = match?.[1]?.toLowerCase();
      if (match && name !== undefined && !fields.has(name))
        fields.set(name, line.slice(match[0].length, readLength).trim());
    }
    if (fields.size > 0) groups.push(fields);
    if (groups.length === mostGroups) break;
  }
  return groups;
}

/** A field without comments (RFC 5322, 3.2.2) and in lower case, such as the keyword of an action. */
export const keywordOf = (field: string | undefined): string =>
  withoutComments(field ?? '')
    .trim()
    .toLowerCase();

/** What is in parentheses is left out; one that is not closed is text. */
export function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (let open = text.indexOf('('); open !== -1; open = text.indexOf('(', from)) {
    const close = text.indexOf(')', open);
    if (close === -1) break;
    kept += text.slice(from, open);
    from = close + 1;
  }
  return kept + text.slice(from);
}
