import { type CipherColumn, cipherColumns, type Services } from '../../base/kernel/index.ts';
import { countCiphers } from './ciphers.store.ts';

export interface CheckedSecret {
  /** 0 is APP_SECRET, 1 the first of APP_SECRET_PREVIOUS */
  position: number;
  /** what the ciphertexts made with it begin with */
  id: string;
  ciphers: number;
  /** `current`: APP_SECRET; `oldest`: finds opt-outs of deleted contacts; `needed`: decrypts ciphertexts; `unneeded`: only links in earlier emails need it */
  state: 'current' | 'oldest' | 'needed' | 'unneeded';
}

export interface CheckedSecrets {
  secrets: CheckedSecret[];
  /** ciphertexts that no known secret made */
  unknown: { column: CipherColumn; id: string; ciphers: number }[];
}

/** Counts what is encrypted with each secret, so that it is known which of the previous ones are no longer needed. */
export async function checkSecrets({
  database,
  secrets,
}: Pick<Services, 'database' | 'secrets'>): Promise<CheckedSecrets> {
  const counts = new Map<string, number>();
  const unknown: CheckedSecrets['unknown'] = [];
  const known = new Set(secrets.checks.map(({ id }) => id));
  for (const column of cipherColumns) {
    for (const { id, ciphers } of await countCiphers(database, column)) {
      counts.set(id, (counts.get(id) ?? 0) + ciphers);
      if (!known.has(id)) unknown.push({ column, id, ciphers });
    }
  }
  const last = secrets.checks.length - 1;
  const stateOf = (position: number, ciphers: number): CheckedSecret['state'] => {
    if (position === 0) return 'current';
    if (position === last) return 'oldest';
    return ciphers > 0 ? 'needed' : 'unneeded';
  };
  return {
    secrets: secrets.checks.map(({ id }, position) => {
      const ciphers = counts.get(id) ?? 0;
      return { position, id, ciphers, state: stateOf(position, ciphers) };
    }),
    unknown,
  };
}
