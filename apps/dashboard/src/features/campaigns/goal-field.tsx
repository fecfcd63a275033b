import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';
import { SelectField } from '../../ui/field.tsx';

/** The goal of a campaign; nothing in a project without goals. */
export function GoalField({ goalId }: { goalId: string | null }) {
  const goals = useQuery(useApi().goals.list.queryOptions({ limit: 50, archived: false }));
  const known = goals.data?.data ?? [];
  if (known.length === 0 && goalId === null) return null;
  return (
    <SelectField
      name="goalId"
      label="Goal"
      defaultValue={goalId ?? ''}
      hint="What its emails are meant to lead to. The report counts who reached it."
    >
      <option value="">None</option>
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
