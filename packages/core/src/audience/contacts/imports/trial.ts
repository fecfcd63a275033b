import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { Breath } from '../../../base/lib/index.ts';
import { type Batch, type BatchContact, batchRows } from './batches.ts';
import { type Before, outcomeOf } from './consent.rules.ts';
import type { ImportKind } from './header.rules.ts';
import { countSuppressed, type FoundContact, findImported, type Imported, ownersOf } from './import.store.ts';
import { type MergedRows, mergeRow, noRows } from './merge-rows.ts';
import type { CsvFile } from './read-csv.ts';
import type { Surveyed } from './survey.ts';
import { takenIn } from './taken-ids.rules.ts';

/** What storing a batch did. */
export interface Stored extends Imported {
  suppressed: number;
}

/** An address as earlier batches would have left it. */
interface Virtual {
  before: Before;
  merged: MergedRows;
}

/** Finds out what storing the batches of a file would do, without storing anything. */
export class Trial {
  readonly #services: Services;
  readonly #projectId: string;
  /** addresses in several batches, of which later ones find what earlier ones would have stored */
  readonly #recurring: ReadonlySet<string>;
  readonly #virtual = new Map<string, Virtual>();
  /** external ids that earlier batches would have given, by address and back */
  readonly #idOf = new Map<string, string>();
  readonly #ownerOf = new Map<string, string>();

  private constructor(services: Services, projectId: string, recurring: ReadonlySet<string>) {
    this.#services = services;
    this.#projectId = projectId;
    this.#recurring = recurring;
  }

  static async begin(
    services: Services,
    projectId: string,
    file: CsvFile,
    surveyed: Surveyed,
  ): Promise<Trial> {
    const batchOf = new Map<string, number>();
    const recurring = new Set<string>();
    let row = -1;
    const breath = new Breath();
    for await (const csvRows of file.rows(breath)) {
      for (const csvRow of csvRows) {
        if (breath.isDue) await breath.take();
        row += 1;
        if (row === 0) continue;
        const reading = surveyed.reader.read(csvRow);
        if (!reading.ok) continue;
        const batch = Math.floor((row - 1) / batchRows);
        const first = batchOf.get(reading.email);
        if (first === undefined) batchOf.set(reading.email, batch);
        else if (first !== batch) recurring.add(reading.email);
      }
    }
    return new Trial(services, projectId, recurring);
  }

  async take(db: Db, kind: ImportKind = 'contacts', { contacts }: Batch): Promise<Stored> {
    const firsts = contacts.filter(({ isFirst }) => isFirst).map(({ email }) => email);
    const suppressed = await countSuppressed(db, this.#projectId, firsts);
    const none = {
      created: 0,
      tooLarge: [],
      taken: [],
      subscribed: 0,
      unsubscribed: 0,
      optedOut: 0,
      suppressed,
    };
    if (kind === 'suppressions')
      return { ...none, created: firsts.length - suppressed, suppressed: firsts.length };
    const found = await findImported(
      db,
      this.#services.secrets,
      this.#projectId,
      contacts.map(({ email, data }) => ({ email, data: this.#withEarlier(email, data) })),
    );
    const foundAt = new Map(found.map((each) => [each.email, each]));
    if (kind === 'optOuts') {
      const leaving = found.filter(({ email, exists, subscribed, snoozed }) => {
        const isFirst = !this.#virtual.has(email);
        if (this.#recurring.has(email))
          this.#virtual.set(email, { before: 'unsubscribed', merged: noRows() });
        return isFirst && exists && (subscribed || snoozed);
      });
      return { ...none, unsubscribed: leaving.length, optedOut: firsts.length };
    }
    const taken = takenIn(contacts, await this.#ownersNow(db, contacts));
    const stored: Stored = { ...none, tooLarge: [], taken: [...taken] };
    for (const contact of contacts) {
      if (taken.has(contact.email)) continue;
      const state = foundAt.get(contact.email);
      if (state && this.#add(stored, contact, state)) this.#name(contact);
    }
    return stored;
  }

  /** Who has the external ids of a batch, as earlier batches would have left it. */
  async #ownersNow(db: Db, contacts: readonly BatchContact[]): Promise<Map<string, string>> {
    const owners = await ownersOf(db, this.#projectId, contacts);
    for (const [externalId, email] of owners)
      if (this.#idOf.has(email) && this.#idOf.get(email) !== externalId) owners.delete(externalId);
    for (const { externalId } of contacts) {
      const email = externalId === null ? undefined : this.#ownerOf.get(externalId);
      if (externalId !== null && email !== undefined) owners.set(externalId, email);
    }
    return owners;
  }

  #name({ email, externalId }: BatchContact): void {
    if (externalId === null) return;
    const before = this.#idOf.get(email);
    if (before !== undefined) this.#ownerOf.delete(before);
    this.#idOf.set(email, externalId);
    this.#ownerOf.set(externalId, email);
  }

  #withEarlier(email: string, data: BatchContact['data']): BatchContact['data'] {
    const virtual = this.#virtual.get(email);
    return virtual ? { ...Object.fromEntries(virtual.merged.values), ...data } : data;
  }

  /** @returns whether the contact would be stored */
  #add(stored: Stored, contact: BatchContact, found: FoundContact): boolean {
    const { email, data, isFirst, rows } = contact;
    const virtual = this.#virtual.get(email);
    const merged = virtual?.merged ?? noRows();
    if (found.isTooLarge || (!found.exists && !mergeRow(merged, rows[0] ?? 0, data))) {
      stored.tooLarge.push(email);
      return false;
    }
    if (found.exists) mergeRow(merged, rows[0] ?? 0, data);
    const before = virtual?.before ?? beforeOf(found);
    if (!virtual && !found.exists) stored.created += 1;
    const { after, counts } = outcomeOf(before, contact);
    if (counts !== null && (counts !== 'optedOut' || isFirst)) stored[counts] += 1;
    if (this.#recurring.has(email)) this.#virtual.set(email, { before: after, merged });
    return true;
  }
}

const beforeOf = ({ exists, subscribed, snoozed, stated, isOut }: FoundContact): Before => {
  if (!exists) return isOut ? 'optedOut' : 'unknown';
  if (subscribed) return 'subscribed';
  return snoozed ? 'snoozed' : stated || isOut ? 'unsubscribed' : 'never';
};
