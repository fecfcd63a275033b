import { type CipherColumn, cipherColumns, type Services } from '../../base/kernel/index.ts';
import { readCiphers, replaceCiphers, type StoredCipher } from './ciphers.store.ts';

export interface RotatedColumn {
  column: CipherColumn;
  /** ciphertexts made again with APP_SECRET */
  rotated: number;
  /** ids of rows whose ciphertext no known secret decrypts */
  unreadable: string[];
}

const pageSize = 500;

/**
 * Encrypts everything that was encrypted with a secret of APP_SECRET_PREVIOUS, or in an earlier form, again with APP_SECRET.
 * It can run while the installation works, be interrupted at any point, and run again.
 *
 * @returns one entry per column, in the order of `cipherColumns`
 */
export async function rotateSecrets(
  services: Pick<Services, 'database' | 'secrets'>,
  onColumn: (result: RotatedColumn) => void = () => {},
): Promise<RotatedColumn[]> {
  const results: RotatedColumn[] = [];
  for (const column of cipherColumns) {
    const result = await rotateColumn(services, column);
    results.push(result);
    onColumn(result);
  }
  return results;
}

async function rotateColumn(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  column: CipherColumn,
): Promise<RotatedColumn> {
  const result: RotatedColumn = { column, rotated: 0, unreadable: [] };
  let after: string | null = null;
  for (;;) {
    const page: StoredCipher[] = await readCiphers(database, column, after, pageSize);
    const changes = [];
    for (const { id, cipher } of page) {
      if (secrets.isCurrent(cipher)) continue;
      const plain = decryptOrNull(() => secrets.decrypt(cipher, column, id));
      if (plain === null) result.unreadable.push(id);
      else changes.push({ id, cipher, next: secrets.encrypt(plain, column, id) });
    }
    if (changes.length > 0) result.rotated += await replaceCiphers(database, column, changes);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return result;
    after = last.id;
  }
}

/** A ciphertext that cannot be decrypted is reported with its row at the end, so that the others are rotated. */
function decryptOrNull(decrypt: () => string): string | null {
  try {
    return decrypt();
  } catch {
    return null;
  }
}
