import { RecentMap } from '../../base/lib/recent-map.ts';
import { type Interaction, mostPerHour } from './interactions.store.ts';

const hourMs = 3_600_000;
/** Figures are entered by quarters of an hour. */
const quarterMs = 900_000;

/** Emails and types that had interactions recently. One that is forgotten is counted from 0 again, which costs rows and loses nothing. */
const mostKnown = 100_000;

/**
 * Which interactions are beyond the rows of their email, type and hour, as far as this process knows. The statement that stores them
 * decides; this only spares it those that could not get a row.
 */
export class LimitOfRows {
  readonly #accepted = new RecentMap<string, { hour: number; count: number }>(mostKnown);

  /** What those have in common that only count together; null for one of the first 20, which may have a row. */
  alike({ emailId, type, link, bot, client, device, receivedAt }: Interaction): string | null {
    const at = performance.timeOrigin + receivedAt;
    const hour = Math.floor(at / hourMs);
    const key = `${type}${emailId}`;
    const accepted = this.#accepted.get(key);
    if (accepted?.hour !== hour) {
      this.#accepted.set(key, { hour, count: 1 });
      return null;
    }
    accepted.count += 1;
    if (accepted.count <= mostPerHour) return null;
    return `${key} ${Math.floor(at / quarterMs)} ${bot} ${client} ${device} ${link}`;
  }
}
