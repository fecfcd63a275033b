import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ImportWorkflow } from '../features/workflows/document/import-workflow.tsx';
import { WorkflowTable } from '../features/workflows/pages/workflow-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { useColumns } from '../lib/use-columns.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const states = [
  { value: 'active', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
] as const;

/** The columns that may be hidden. */
const hideable = ['Status', 'Trigger', 'Steps', 'Executions', 'Active', 'Failed (24 h)', 'Updated'];

export function Component() {
  const to = useProjectPath();
  const state = useListState();
  const columns = useColumns('workflows', state, hideable);
  const { search, page } = state;
  const status = state.filter('status', states);
  const sort = state.sort('updatedAt');
  const list = useQuery({
    ...useApi().workflows.list.queryOptions({
      page,
      sort: sort.by,
      dir: sort.direction,
      ...(status && { status }),
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const workflows = list.data?.data ?? [];
  const isFiltered = state.isFiltered('status');
  /** Nothing is there yet, so the list itself offers the one action. */
  const isEmpty = list.isSuccess && workflows.length === 0 && !isFiltered;
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('workflows/new')}>
      New workflow
    </ButtonLink>
  );
  return (
    <Page
      title="Workflows"
      intro="Automated emails and actions, triggered by what people do."
      actions={
        <>
          <ImportWorkflow />
          {!isEmpty && create}
        </>
      }
    >
      <ListFrame
        label="Workflows"
        search={{ label: 'Search workflows', text: state.text, onChange: state.setText }}
        filters={
          <Filter
            label="Status"
            value={status}
            options={states}
            onChange={(value) => state.setFilter('status', value)}
          />
        }
        columns={columns}
        query={list}
        shown={workflows.length}
        isFiltered={isFiltered}
        onClear={state.clear}
        empty={{
          icon: 'workflow',
          title: 'No workflows yet',
          text: (
            <p>
              A workflow takes contacts through a series of steps: emails, delays, conditions and calls to
              other services. An event that your code tracks can start it.
            </p>
          ),
          action: create,
        }}
        pages={state.pagesOf(list.data)}
      >
        <WorkflowTable workflows={workflows} sorting={{ ...sort, onSort: state.setSort }} />
      </ListFrame>
    </Page>
  );
}
