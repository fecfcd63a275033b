import type { ContactFieldUsage } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { UsedBy } from '../../common/references/used-by.tsx';
import { isCustom } from './contact-fields.rules.ts';

/** What uses a field, and whether it can be deleted. */
export function FieldUsage({ field, usage }: { field: string; usage: ContactFieldUsage }) {
  return (
    <Facts>
      <Fact name="Contacts with this field">{formatCount(usage.contactCount)}</Fact>
      <UsedBy name="Segments" page="segments" users={usage.usedInSegments} />
      <UsedBy name="Campaigns" page="campaigns" users={usage.usedInCampaigns} />
      <UsedBy name="Workflows" page="workflows" users={usage.usedInWorkflows} />
      <UsedBy name="Templates" page="templates" users={usage.usedInTemplates} />
      <Fact name="Can be deleted">{usage.canDelete ? 'Yes' : `No. ${refusal(field)}`}</Fact>
    </Facts>
  );
}

const refusal = (field: string): string =>
  isCustom(field) ? 'Remove it from everything listed above first.' : 'Every contact has this field.';
