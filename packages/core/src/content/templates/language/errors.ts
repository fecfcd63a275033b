/** A syntax error in a template. `line` and `column` are 1-based and count UTF-16 units of the source. */
export class TemplateSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = 'TemplateSyntaxError';
    this.line = line;
    this.column = column;
  }

  static at(source: string, offset: number, message: string): TemplateSyntaxError {
    const before = source.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
    return new TemplateSyntaxError(message, line, offset - lineStart + 1);
  }
}

/** Longest name that an error shows a way to write for. */
const MAX_HINT_LENGTH = 200;
/** The place that liquidjs adds to its messages; errors of templates have their own. */
const PLACE = /(, file:\d+)?, line:\d+, col:\d+$/;

export const withoutPlace = (message: string): string => message.replace(PLACE, '');

/** Adds how the text would be written if it was meant as a name. */
export function withHint(error: unknown, name: string): unknown {
  const quote = name.includes('"') ? "'" : '"';
  const isWritable =
    name !== '' && name.length <= MAX_HINT_LENGTH && !name.includes(quote) && !/[\\\n]/.test(name);
  if (isWritable && error instanceof Error && !(error instanceof RangeError)) {
    error.message = `${withoutPlace(error.message)}; as a name it is written {{data[${quote}${name}${quote}]}}`;
  }
  return error;
}
