import { differencesOf } from '../../automation/campaigns/index.ts';
import type { Database } from '../../base/db/index.ts';
import { campaignsAfter, findStrandedEmails, findUndatedEmails } from './faults.store.ts';

const campaignsAtOnce = 500;

/** What contradicts itself in a database that no process works on, a sentence each. */
export async function findFaults({ prisma }: Database): Promise<string[]> {
  const faults: string[] = [];
  const stranded = await findStrandedEmails(prisma);
  if (stranded.count > 0)
    faults.push(`${stranded.count} emails wait without a batch: ${stranded.examples.join(', ')}`);
  const undated = await findUndatedEmails(prisma);
  if (undated.count > 0)
    faults.push(`${undated.count} emails were sent at no time: ${undated.examples.join(', ')}`);
  for (let after: string | null = null; ; ) {
    const ids: string[] = await campaignsAfter(prisma, after, campaignsAtOnce);
    for (const id of ids) {
      const { counters, skips } = await differencesOf(prisma, id);
      const wrong = Object.entries({ ...counters, ...skips }).map(
        ([name, difference]) => `${name} by ${difference}`,
      );
      if (wrong.length > 0)
        faults.push(`the counters of the campaign ${id} differ from its emails: ${wrong.join(', ')}`);
    }
    after = ids.at(-1) ?? null;
    if (ids.length < campaignsAtOnce) return faults;
  }
}
