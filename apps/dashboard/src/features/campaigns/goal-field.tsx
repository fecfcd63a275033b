import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { SelectField } from '../../ui/field.tsx';

/** The goal of a campaign. Its value is the id, and empty for none; a project without goals has nothing to choose. */
export function GoalField({ goalId }: { goalId: string | null }) {
  const goals = useQuery(useApi().goals.list.queryOptions({ limit: 50, archived: false }));
  const known = goals.data?.data ?? [];
  if (known.length === 0 && goalId === null) return null;
  const isListed = goalId === null || known.some(({ id }) => id === goalId);
  return (
    <SelectField
      name="goalId"
      label="Goal"
      defaultValue={goalId ?? ''}
      hint="Recipients who reach it are counted, whether they clicked or not, and compared with those who are held out."
    >
      <option value="">None</option>
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {!isListed && <option value={goalId}>The present goal</option>}
    </SelectField>
  );
}
