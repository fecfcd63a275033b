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
