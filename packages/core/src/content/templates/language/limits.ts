/** Longest source of one part, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 2_000_000;
/** Longest `{{ … }}` or `{% … %}`. */
export const MAX_MARKUP_LENGTH = 50_000;
/** Most outputs and tags of one part. */
export const MAX_MARKUPS = 50_000;
/** Deepest nesting of tags; both parsing and rendering recurse once per level. */
export const MAX_DEPTH = 100;
/** Longest text that outputs may add to one rendered part, in UTF-16 units. */
export const MAX_OUTPUT_LENGTH = 10_000_000;
/** Maximum total output of the filters, loops and captures of one part. A unit is a character; an array item costs more. */
const MEMORY_UNITS = 16_000_000;
export const UNITS_PER_ITEM = 8;

/** A rendering limit was reached; the part is then rendered by plain replacement. */
export class RenderLimitError extends Error {
  constructor(what: string) {
    super(`${what} limit exceeded`);
    this.name = 'RenderLimitError';
  }
}

/**
 * What one rendering may still write and keep. liquidjs's own limiters count too little (not the text written, not the
 * size of nested arrays), so one budget replaces them. Time is limited by the thread that renders.
 */
export class RenderBudget {
  exceeded = false;
  private memory = MEMORY_UNITS;
  private output = MAX_OUTPUT_LENGTH;

  useMemory(units: number): void {
    if (!(units > 0)) return;
    this.memory -= units;
    if (this.memory < 0) this.fail('memory');
  }

  useOutput(length: number): void {
    this.output -= length;
    if (this.output < 0) this.fail('output');
  }

  private fail(what: string): never {
    this.exceeded = true;
    throw new RenderLimitError(what);
  }

  /**
   * Charges a value by its size when written out. An array that contains another one twice doubles with every
   * iteration of a loop; liquidjs serializes such values before counting them, so they must not be created.
   */
  useValue(value: unknown, depth = 0): void {
    if (typeof value === 'string') {
      this.useMemory(value.length);
      return;
    }
    if (!Array.isArray(value)) return;
    if (depth > MAX_DEPTH) throw new RangeError('list nested too deeply');
    this.useMemory(value.length * UNITS_PER_ITEM);
    for (const item of value) this.useValue(item, depth + 1);
  }
}
