import { conditionsBehind, readsOfAudience } from '../../audience/segments/index.ts';
import type { Db } from '../../base/db/index.ts';
import { sha256 } from '../../base/kernel/index.ts';
import { canonicalJson } from '../../base/lib/index.ts';
import type { WrittenFields } from './check-campaign.ts';
import { withoutDesigns } from './variants/variants.rules.ts';

/** What of a campaign decides who gets what: not its name and description, nor the design that its body was made from. */
export type HashedFields = Omit<WrittenFields, 'name' | 'description' | 'design'>;

/**
 * Names one state of a campaign: it differs once its content, its sender, its audience or the condition of a segment behind that was
 * changed.
 *
 * @returns SHA-256 of its canonical JSON, in hexadecimal
 */
export async function hashOfCampaign(db: Db, projectId: string, fields: HashedFields): Promise<string> {
  const segments = await conditionsBehind(db, projectId, readsOfAudience(fields));
  const test = fields.test && withoutDesigns(fields.test);
  return sha256(canonicalJson({ ...fields, test, segments })).toString('hex');
}
