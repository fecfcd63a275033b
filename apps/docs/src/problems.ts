/** What keeps the site from being built, each with the page that it is on. */
export class Problems {
  readonly #found: string[] = [];

  add(where: string, what: string): void {
    const line = `${where}: ${what}`;
    if (!this.#found.includes(line)) this.#found.push(line);
  }

  get all(): readonly string[] {
    return this.#found;
  }
}

export class BuildError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The documentation cannot be built:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
    this.name = 'BuildError';
    this.problems = problems;
  }
}
