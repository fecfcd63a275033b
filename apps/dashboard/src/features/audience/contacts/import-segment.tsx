import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow } from '../../../ui/form.tsx';

export const newSegment = 'new';

/** The static segment that the imported contacts are added to: none, an existing one, or a new one. */
export function ImportSegment({ chosen: before, name }: { chosen: string; name: string }) {
  const [chosen, setChosen] = useState(before);
  const segments = useQuery(useApi().segments.list.queryOptions());
  const lists = (segments.data ?? []).filter(({ type }) => type === 'STATIC');
  return (
    <FieldRow>
      <SelectField
        name="segmentId"
        label="Add to segment"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">None</option>
        <option value={newSegment}>New segment</option>
        {lists.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {chosen === newSegment && (
        <TextField
          name="segmentName"
          label="Name of the segment"
          defaultValue={name}
          maxLength={100}
          required
        />
      )}
    </FieldRow>
  );
}
