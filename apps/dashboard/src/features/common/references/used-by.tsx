import { Link } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import { Fact } from '../../../ui/facts.tsx';

interface UsedByProps {
  name: string;
  page: string;
  users: readonly { id: string; name: string }[];
}

/** The records of one kind that use something, as links. */
export function UsedBy({ name, page, users }: UsedByProps) {
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
