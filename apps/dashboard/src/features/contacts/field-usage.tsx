import { Link } from 'react-router';
import type { ContactFieldUsage } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { isCustom } from './contact-fields.rules.ts';

/** Who depends on a field, and with that whether it can go. */
export function FieldUsage({ field, usage }: { field: string; usage: ContactFieldUsage }) {
  return (
    <Facts>
      <Fact name="Contacts that have it">{formatCount(usage.contactCount)}</Fact>
      <Users name="Segments" page="segments" users={usage.usedInSegments} />
      <Users name="Campaigns" page="campaigns" users={usage.usedInCampaigns} />
      <Users name="Workflows" page="workflows" users={usage.usedInWorkflows} />
      <Fact name="Can be deleted">{usage.canDelete ? 'yes' : `no, ${refusal(field)}`}</Fact>
    </Facts>
  );
}

const refusal = (field: string): string =>
  isCustom(field)
    ? 'what is listed here names it; take it out there first'
    : 'every contact has it by itself';

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
        'none'
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
