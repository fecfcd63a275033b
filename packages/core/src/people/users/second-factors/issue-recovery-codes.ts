import type { Db } from '../../../base/db/index.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { replaceRecoveryCodes } from './second-factors.store.ts';

/** Ten new recovery codes; the former ones are no longer valid. */
export async function issueRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(
    db,
    userId,
    codes.flatMap((code) => hashOfRecoveryCode(code) ?? []),
  );
  return codes;
}
