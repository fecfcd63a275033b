import { normalizeAddress, type Services } from '../../../base/kernel/index.ts';
import { type AddressPart, findTaken, pageOf, parts } from './rewrite.store.ts';

/** An address that has another normal form, or none. */
export interface AddressFinding {
  /** `refused`: it has none, stays and gets no email. `conflict`: another account or invitation has it, so that both stay */
  kind: 'rewritten' | 'merged' | 'conflict' | 'refused';
  part: AddressPart;
  /** null for accounts */
  projectId: string | null;
  from: string;
  to: string | null;
}

/** What `normalizeAddresses` changes, and what it leaves as it is. Reads pages of 1,000 rows and changes nothing. */
export async function* checkAddresses({ database: { prisma } }: Services): AsyncGenerator<AddressFinding> {
  for (const part of parts) {
    const given = new Set<string>();
    let position: string | null = '';
    while (position !== null) {
      const page = await pageOf(prisma, part, position, 'all');
      const changed = page.rows
        .map((row) => ({ ...row, to: normalizeAddress(row.address) }))
        .filter(({ address, to }) => to !== address);
      const taken = await findTaken(prisma, part, changed);
      for (const { key, projectId, address: from, to } of changed) {
        const double = part === 'user' || part === 'invitation' ? 'conflict' : 'merged';
        const place = `${projectId} ${to}`;
        const isTaken = part !== 'email' && (taken.has(key) || given.has(place));
        given.add(place);
        const kind = to === null ? 'refused' : isTaken ? double : 'rewritten';
        yield { kind, part, projectId, from, to };
      }
      position = page.next;
    }
  }
}
