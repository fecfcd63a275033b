import { useQuery } from '@tanstack/react-query';
import { SegmentTable } from '../features/audience/segments/segment-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { useColumns } from '../lib/use-columns.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';

/** The columns that may be hidden. */
const hideable = ['Type', 'Entries and exits', 'Members', 'Updated'];

/** The API returns all segments at once, so they are searched here. */
export function Component() {
  const to = useProjectPath();
  const state = useListState();
  const columns = useColumns('segments', state, hideable);
  const list = useQuery(useApi().segments.list.queryOptions());
  const wanted = state.search.toLowerCase();
  const shown = (list.data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  const isFiltered = state.isFiltered();
  /** Nothing is there yet, so the list itself offers the one action. */
  const isEmpty = list.isSuccess && shown.length === 0 && !isFiltered;
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('segments/new')}>
      New segment
    </ButtonLink>
  );
  return (
    <Page
      title="Segments"
      intro="Groups of contacts, defined by a filter or kept as a list, for campaigns and workflows."
      actions={!isEmpty && create}
    >
      <ListFrame
        label="Segments"
        search={{ label: 'Search segments', text: state.text, onChange: state.setText }}
        aside="Members of segments without tracking are counted every 5 minutes."
        columns={columns}
        query={list}
        shown={shown.length}
        isFiltered={isFiltered}
        onClear={state.clear}
        empty={{
          icon: 'segment',
          title: 'No segments yet',
          text: (
            <p>
              A segment groups contacts by their data, the events they triggered, or the emails they received.
            </p>
          ),
          action: create,
        }}
      >
        <SegmentTable segments={shown} />
      </ListFrame>
    </Page>
  );
}
