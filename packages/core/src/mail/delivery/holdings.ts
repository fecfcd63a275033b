import { type Owners, turnKey } from '../../base/kernel/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { HeldBatch } from './held-batch.ts';

/** Emails that are held and have not begun. */
export interface Backlog {
  total: number;
  byProject: Map<string, number>;
  /** of all projects of an owner, and of all unproven owners together */
  byTurn: Map<string, number>;
}

/** The batches that this process holds. */
export class Holdings {
  readonly #owners: Owners;
  readonly #batches = new Set<HeldBatch>();

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  add(batch: HeldBatch): void {
    this.#batches.add(batch);
  }

  remove(batch: HeldBatch): void {
    this.#batches.delete(batch);
    batch.trace?.end();
  }

  get all(): HeldBatch[] {
    return [...this.#batches];
  }

  /** Number of held emails, answered ones included until their batch is written. */
  get emails(): number {
    let count = 0;
    for (const { size } of this.#batches) count += size;
    return count;
  }

  backlog(kind: Kind): Backlog {
    const backlog: Backlog = { total: 0, byProject: new Map(), byTurn: new Map() };
    for (const batch of this.#batches) {
      if (batch.kind !== kind || batch.backlog === 0) continue;
      backlog.total += batch.backlog;
      backlog.byProject.set(batch.projectId, (backlog.byProject.get(batch.projectId) ?? 0) + batch.backlog);
    }
    for (const [projectId, count] of backlog.byProject) {
      const key = turnKey(this.#owners.turnOf(projectId));
      backlog.byTurn.set(key, (backlog.byTurn.get(key) ?? 0) + count);
    }
    return backlog;
  }

  holdsCampaign(campaignId: string): boolean {
    for (const batch of this.#batches) if (batch.campaignId === campaignId) return true;
    return false;
  }

  tokens(): string[] {
    return [...new Set(this.all.map(({ token }) => token))];
  }
}
