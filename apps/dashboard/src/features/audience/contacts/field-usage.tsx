import { Link } from 'react-router';
import type { ContactFieldUsage } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { isCustom } from './contact-fields.rules.ts';

/** What uses a field, and whether it can be deleted. */
export function FieldUsage({ field, usage }: { field: string; usage: ContactFieldUsage }) {
  return (
    <Facts>
      <Fact name="Contacts with this field">{formatCount(usage.contactCount)}</Fact>
      <Users name="Segments" page="segments" users={usage.usedInSegments} />
      <Users name="Campaigns" page="campaigns" users={usage.usedInCampaigns} />
      <Users name="Workflows" page="workflows" users={usage.usedInWorkflows} />
      <Fact name="Can be deleted">{usage.canDelete ? 'Yes' : `No. ${refusal(field)}`}</Fact>
    </Facts>
  );
}

const refusal = (field: string): string =>
  isCustom(field) ? 'Remove it from everything listed above first.' : 'Every contact has this field.';

interface UsersProps {
  name: string;
  page: string;
  users: { id: string; name: string }[];
}

function Users({ name, page, users }: UsersProps) {
  const to = useProjectPath();
  return (
    <Fact name={name}>
      {users.length === 0 ? (
        'None'
      ) : (
        <ul>
          {users.map((user) => (
            <li key={user.id}>
              <Link to={to(`${page}/${user.id}`)}>{user.name}</Link>
            </li>
          ))}
        </ul>
      )}
    </Fact>
  );
}
