import { nameOf } from '@postrider/core/audience/contacts/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useSearchText } from '../../../lib/use-search-text.ts';
import type { Option } from '../../../ui/select.tsx';

const found = 20;

/** Contacts by a part of their address or name, found by the server after a pause in typing. */
export function useContactSearch(): {
  contacts: Option[];
  search: string;
  onSearch: (text: string) => void;
} {
  const [, onSearch, search] = useSearchText();
  const list = useQuery({
    ...useApi().contacts.list.queryOptions({ limit: found, ...(search && { text: search }) }),
    placeholderData: keepPreviousData,
  });
  const contacts = (list.data?.data ?? []).map(({ id, email, data }) => {
    const name = nameOf(data);
    return { value: id, label: name === null ? email : `${email} · ${name}` };
  });
  return { contacts, search, onSearch };
}
