/** A field of a message or of one of its parts (RFC 5322 2.2). */
export interface HeaderField {
  /** In lower case. */
  readonly name: string;
  /** The whole field as it is, with its folds and its CRLF. */
  readonly text: string;
  /** What follows the colon, unfolded and trimmed; of a longer field the beginning. */
  readonly value: string;
}

/** RFC 5322 2.2: a field name is printable US-ASCII without the colon. Blanks before the colon are of the obsolete syntax (4.5). */
const FIELD = /^([!-9;-~]+)[ \t]*:/;

/** Characters of a field that are read. What follows is sent as it is. */
const READ_LENGTH = 8_192;

/**
 * The fields of a header, whose lines end with CRLF.
 * @returns null when a line belongs to no field.
 */
export function readFields(header: string): HeaderField[] | null {
  const fields = header === '' ? [] : linesOf(header).map(fieldOf);
  return fields.every((field) => field !== null) ? fields : null;
}

/** The fields of a header that can be read; lines that belong to no field are skipped. */
export const readableFields = (header: string): HeaderField[] =>
  linesOf(header)
    .map(fieldOf)
    .filter((field) => field !== null);

/** The lines, each with those that continue it. */
const linesOf = (header: string): string[] =>
  (header.endsWith('\r\n') ? header.slice(0, -2) : header).split(/\r\n(?![ \t])/);

function fieldOf(text: string): HeaderField | null {
  const [start, name] = FIELD.exec(text) ?? [];
  if (start === undefined || name === undefined) return null;
  const value = text.slice(start.length, start.length + READ_LENGTH);
  return {
    name: name.toLowerCase(),
    text: `${text}\r\n`,
    value: withoutBlanksAround(value.replaceAll('\r\n', '')),
  };
}

const isBlank = (char: string): boolean => char === ' ' || char === '\t';

/** The text without blanks at its end. By a loop: a pattern would try every blank within the text as the beginning of its end. */
export function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function withoutBlanksAround(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text.charAt(start))) start += 1;
  return withoutBlanksAtEnd(text.slice(start));
}

/** A value with parameters, such as that of Content-Type (RFC 2045 5.1). */
export interface ParameterizedValue {
  /** In lower case, without parameters. */
  readonly value: string;
  /** Keyed by lower-case name; the first one counts when a name is repeated. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The name of a parameter after its semicolon, with the equals sign. */
const PARAMETER_NAME = /[ \t\r\n]*([^\s=;]+)[ \t\r\n]*=[ \t\r\n]*/y;
/** What is quoted; a quote that is not closed ends with the text. */
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)/y;
const PLAIN = /[^\s;]*/y;

/** What a pattern matches at a place of a text, in one step: none of them tries the same character twice. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function readParameters(text: string): ParameterizedValue {
  const semicolon = text.indexOf(';');
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  for (let at = semicolon; at !== -1; at = text.indexOf(';', at)) {
    at += 1;
    const [named, name] = matchAt(PARAMETER_NAME, text, at) ?? [];
    if (named === undefined || name === undefined) continue;
    at += named.length;
    const [quoted, inside] = matchAt(QUOTED, text, at) ?? [];
    const plain = quoted === undefined ? (matchAt(PLAIN, text, at)?.[0] ?? '') : '';
    at += (quoted ?? plain).length;
    const known = parameters.has(name.toLowerCase());
    if (!known) parameters.set(name.toLowerCase(), inside?.replace(/\\([\s\S])/g, '$1') ?? plain);
  }
  return { value, parameters };
}
