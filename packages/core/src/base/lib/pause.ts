/** The pause of a loop that events may end early. */
export class Pause {
  #resume: (() => void) | null = null;
  #woken = false;

  /** Ends the running pause, or the next one at once: a wake while the loop works is not lost. */
  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = null;
    }
    this.#woken = false;
  }
}
