import { useQuery } from '@tanstack/react-query';
import { fieldKey, isCustom } from '../features/audience/contacts/contact-fields.rules.ts';
import { FieldTable } from '../features/audience/contacts/field-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Search, Toolbar } from '../ui/toolbar.tsx';

/** The API returns all fields at once, so they are searched here. */
export function Component() {
  const to = useProjectPath();
  const [text, setText, search] = useSearchText();
  const list = useQuery(useApi().contacts.listFields.queryOptions());
  const fields = list.data?.fields ?? [];
  const standardLast = [
    ...fields.filter(({ field }) => isCustom(field)),
    ...fields.filter(({ field }) => !isCustom(field)),
  ];
  const shown = standardLast.filter(({ field }) =>
    fieldKey(field).toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <Page
      title="Contact fields"
      back={{ to: to('contacts'), label: 'Contacts' }}
      intro="The data stored on your contacts. Fields appear when a contact first has them. In large projects, percentages may be up to five minutes old."
    >
      <Frame
        label="Fields"
        head={
          <Toolbar>
            <Search label="Search fields" value={text} onChange={setText} />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading fields" />}
        {list.isError && !list.data && <LoadFailure error={list.error} retry={list.refetch} />}
        {shown.length > 0 && <FieldTable fields={shown} />}
        {list.data && shown.length === 0 && <EmptyState title="No fields match your search" />}
      </Frame>
    </Page>
  );
}
