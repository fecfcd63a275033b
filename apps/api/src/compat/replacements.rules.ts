interface Node {
  next: Map<number, Node>;
  /** of a key that ends here */
  value: string | null;
}

export interface Texts {
  subject: unknown;
  html: string | null;
  text: string | null;
}

/** Characters of all emails of a request together: one content could otherwise be made a thousand times. */
export const mostCharacters = 64 * 1024 * 1024;
/** Letters that are compared for one request. */
const mostSteps = 4 * mostCharacters;

/** Counts the work of the replacements of one request, and the characters that they make. */
export class ReplacementBudget {
  #steps = 0;
  #made = 0;

  /** @returns false when it is used up */
  spend(steps: number, made: number): boolean {
    this.#steps += steps;
    this.#made += made;
    return !this.isUsedUp;
  }

  get isUsedUp(): boolean {
    return this.#steps > mostSteps || this.#made > mostCharacters;
  }
}

/** Keys with the texts that they are replaced by. */
export class Replacements {
  readonly #root: Node = { next: new Map(), value: null };

  constructor(values: Iterable<readonly [key: string, value: string]>) {
    for (const [key, value] of values) {
      let node = this.#root;
      for (let at = 0; at < key.length; at += 1) {
        const code = key.charCodeAt(at);
        const next = node.next.get(code) ?? { next: new Map(), value: null };
        node.next.set(code, next);
        node = next;
      }
      node.value = value;
    }
  }

  /** Replaces keys in each text. A text beyond the budget is left as it is. */
  fillAll({ subject, html, text }: Texts, budget: ReplacementBudget): Texts {
    return {
      subject: typeof subject === 'string' ? this.fill(subject, budget) : subject,
      html: html === null ? null : this.fill(html, budget),
      text: text === null ? null : this.fill(text, budget),
    };
  }

  /** As plain text: what was put in is not looked at again. Of keys that begin alike, the longest counts. */
  fill(source: string, budget: ReplacementBudget): string {
    let filled = '';
    let from = 0;
    let steps = 0;
    let made = 0;
    for (let at = 0; at < source.length; at += 1) {
      let node = this.#root.next.get(source.charCodeAt(at));
      let end = at;
      let value: string | null = null;
      for (let next = at + 1; node; next += 1) {
        if (node.value !== null) [end, value] = [next, node.value];
        node = node.next.get(source.charCodeAt(next));
        steps += 1;
      }
      if (value !== null) {
        filled += source.slice(from, at) + value;
        made += value.length;
        from = end;
        at = end - 1;
      }
      if (steps > checkedEvery || made > checkedEvery) {
        if (!budget.spend(steps, made)) return source;
        steps = 0;
        made = 0;
      }
    }
    return budget.spend(steps + source.length, made) ? filled + source.slice(from) : source;
  }
}

const checkedEvery = 1024 * 1024;
