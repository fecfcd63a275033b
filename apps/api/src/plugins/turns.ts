/** Work of which each owner has one piece at a time, first come, first served. */
export class Turns {
  /** what waits behind the piece that an owner has in work */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for a turn. @returns a function that ends it, to be called once */
  async take(owner: string): Promise<() => void> {
    const waiting = this.#waiting.get(owner);
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else this.#waiting.set(owner, []);
    return () => this.#end(owner);
  }

  #end(owner: string): void {
    const next = this.#waiting.get(owner)?.shift();
    if (next) next();
    else this.#waiting.delete(owner);
  }
}
