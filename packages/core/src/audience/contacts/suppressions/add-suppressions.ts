import { command, normalizeAddress, projectIdOf } from '../../../base/kernel/index.ts';
import { isSimulated } from '../../../base/kernel/simulator.rules.ts';
import { addedSuppressions, addSuppressionsInput } from './suppressions.schema.ts';
import { insertSuppressions } from './suppressions.store.ts';

export const addSuppressions = command({
  name: 'contacts.addSuppressions',
  summary: 'Adds addresses to the suppression list',
  permission: 'data:write',
  risk: 'none',
  input: addSuppressionsInput,
  output: addedSuppressions,
  async handler(ctx, { emails, reason = 'MANUAL' }) {
    const projectId = projectIdOf(ctx);
    const given = emails.map((email) => ({ email, address: suppressible(email) }));
    const addresses = [...new Set(given.flatMap(({ address }) => address ?? []))];
    const added = await insertSuppressions(ctx.db, projectId, addresses, reason);
    // As for the removal: the audit log contains no addresses.
    ctx.audit({ targetType: 'suppression', targetId: projectId });
    return {
      added,
      existing: addresses.length - added,
      invalid: given.filter(({ address }) => address === null).map(({ email }) => email),
    };
  },
});

/** The address in its normal form. One of the simulator is never on the list, so that its tests can be repeated. */
function suppressible(email: string): string | null {
  const address = normalizeAddress(email);
  return address === null || isSimulated(address) ? null : address;
}
