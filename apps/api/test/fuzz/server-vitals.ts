interface Vitals {
  heap: number;
  handles: number;
}

const megabyte = 1_048_576;
/** Growth that is no leak: caches that have a bound, and code that is compiled later. */
const allowed = { heap: 80 * megabyte, handles: 40 };

/** Memory and handles of an api process over time, from its metrics. */
export class ServerVitals {
  readonly #url: string;
  readonly #noted: Vitals[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  async note(): Promise<void> {
    const text = await (await fetch(`${this.#url}/metrics`)).text();
    const read = (name: string): number =>
      Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
    this.#noted.push({
      heap: read('nodejs_heap_size_used_bytes'),
      handles: read('nodejs_active_handles_total'),
    });
  }

  /** What grew between the second quarter and the last; the least of each, since garbage comes and goes. */
  growth(): string[] {
    const quarter = Math.floor(this.#noted.length / 4);
    if (quarter < 2) return [];
    const [early, late] = [this.#noted.slice(quarter, 2 * quarter), this.#noted.slice(-quarter)];
    return (['heap', 'handles'] as const).flatMap((name) => {
      const [before, after] = [least(early, name), least(late, name)];
      return after - before > allowed[name] ? [`${name} grew from ${before} to ${after}`] : [];
    });
  }

  latest(): string {
    return textOf(this.#noted.at(-1));
  }

  summary(): string {
    return `at first ${textOf(this.#noted[0])}, at the end ${textOf(this.#noted.at(-1))}`;
  }
}

const least = (vitals: readonly Vitals[], name: keyof Vitals): number =>
  Math.min(...vitals.map((each) => each[name]));

const textOf = (vitals: Vitals | undefined): string =>
  vitals ? `heap ${Math.round(vitals.heap / megabyte)} MB, ${vitals.handles} handles` : 'unknown';
