import { quarterStart, stepOf } from './requests.rules.ts';

/** Requests of one quarter, operation, status and code that the database does not have yet. */
export interface CountRow {
  projectId: string;
  at: Date;
  /** empty for none */
  operation: string;
  status: number;
  /** empty for none */
  code: string;
  count: number;
  /** requests by step of their duration */
  durations: Record<string, number>;
}

interface Counted {
  projectId: string;
  operation: string | null;
  status: number;
  code: string | null;
  durationMs: number;
  now: number;
}

/** Different counts that wait; requests beyond are not counted. A process writes them twice a second. */
const mostRows = 20_000;

/** Adds requests up until they are written. */
export class Counts {
  #rows = new Map<string, CountRow>();

  get size(): number {
    return this.#rows.size;
  }

  /** @returns false when there is no room for another count */
  add({ projectId, operation, status, code, durationMs, now }: Counted): boolean {
    const at = quarterStart(now);
    const key = `${projectId} ${at} ${operation} ${status} ${code}`;
    let row = this.#rows.get(key);
    if (!row) {
      if (this.#rows.size >= mostRows) return false;
      row = {
        projectId,
        at: new Date(at),
        operation: operation ?? '',
        status,
        code: code ?? '',
        count: 0,
        durations: {},
      };
      this.#rows.set(key, row);
    }
    row.count += 1;
    const step = stepOf(durationMs);
    row.durations[step] = (row.durations[step] ?? 0) + 1;
    return true;
  }

  take(): CountRow[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    return rows;
  }

  /** Rows that could not be written are added to what has come since. */
  putBack(rows: readonly CountRow[]): void {
    for (const row of rows) {
      const key = `${row.projectId} ${row.at.getTime()} ${row.operation || null} ${row.status} ${row.code || null}`;
      const later = this.#rows.get(key);
      if (!later) {
        this.#rows.set(key, row);
        continue;
      }
      later.count += row.count;
      for (const [step, count] of Object.entries(row.durations))
        later.durations[step] = (later.durations[step] ?? 0) + count;
    }
  }
}
