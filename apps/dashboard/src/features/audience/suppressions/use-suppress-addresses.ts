import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useApiClient } from '../../../lib/api.ts';
import { shareOf } from '../../../lib/format.ts';
import { partsOf } from './given-addresses.rules.ts';

export interface AddedAddresses {
  added: number;
  existing: number;
  invalid: string[];
}

/** Adds any number of addresses, in several requests. Repeating it after a failure is safe. */
export function useSuppressAddresses() {
  const api = useApi();
  const { contacts } = useApiClient();
  const queryClient = useQueryClient();
  const [percent, setPercent] = useState(0);
  const add = useMutation({
    async mutationFn({ pasted, file }: { pasted: string; file: File | null }): Promise<AddedAddresses> {
      const parts = partsOf(pasted, file ? await file.text() : '');
      const sum: AddedAddresses = { added: 0, existing: 0, invalid: [] };
      for (const [index, emails] of parts.entries()) {
        setPercent(shareOf(index, parts.length));
        const { added, existing, invalid } = await contacts.addSuppressions.mutate({ emails });
        sum.added += added;
        sum.existing += existing;
        sum.invalid.push(...invalid);
      }
      return sum;
    },
    onSettled: () => queryClient.invalidateQueries(api.contacts.listSuppressions.pathFilter()),
  });
  return { add, percent };
}
