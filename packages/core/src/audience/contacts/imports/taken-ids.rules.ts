interface Named {
  email: string;
  externalId: string | null;
}

/**
 * The contacts of a batch whose external id belongs to another contact, by address: to one that has it, or to an earlier one of the batch.
 *
 * @param owners the addresses of those that have the ids, by external id
 */
export function takenIn(contacts: readonly Named[], owners: ReadonlyMap<string, string>): Set<string> {
  const by = new Map(owners);
  const taken = new Set<string>();
  for (const { email, externalId } of contacts) {
    if (externalId === null) continue;
    const owner = by.get(externalId);
    if (owner === undefined) by.set(externalId, email);
    else if (owner !== email) taken.add(email);
  }
  return taken;
}
