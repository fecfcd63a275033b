/** A field of a message or of one of its parts (RFC 5322 2.2). */
export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** The whole field as it is, with its folds and its CRLF. */
  readonly text: string;
  /** What follows the colon, unfolded and trimmed. */
  readonly value: string;
}

/** RFC 5322 2.2: a field name is printable US-ASCII without the colon. Blanks before the colon are of the obsolete syntax (4.5). */
const FIELD = /^([!-9;-~]+)[ \t]*:([\s\S]*)$/;

/**
 * The fields of a header, whose lines end with CRLF.
 * @returns null when a line belongs to no field.
 */
export function readFields(header: string): HeaderField[] | null {
  if (header === '') return [];
  const fields: HeaderField[] = [];
  for (const text of header.replace(/\r\n$/, '').split(/\r\n(?![ \t])/)) {
    const match = FIELD.exec(text);
    if (!match?.[1]) return null;
    fields.push({
      name: match[1].toLowerCase(),
      text: `${text}\r\n`,
      value: (match[2] ?? '').replace(/\r\n/g, '').replace(/^[ \t]+|[ \t]+$/g, ''),
    });
  }
  return fields;
}

/** A value with parameters, such as that of Content-Type (RFC 2045 5.1). */
export interface ParameterizedValue {
  /** In lower case, without parameters. */
  readonly value: string;
  /** By lower-case name; of a name that is repeated, the first one. */
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g;

export function readParameters(text: string): ParameterizedValue {
  const semicolon = text.indexOf(';');
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const known = parameters.has(name.toLowerCase());
    if (!known) parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  return { value, parameters };
}
