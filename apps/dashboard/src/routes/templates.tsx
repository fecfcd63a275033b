import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { emailTypeNames } from '../features/emails/email-type-names.ts';
import { TemplateTable } from '../features/templates/template-table.tsx';
import { TemplateTiles } from '../features/templates/template-tiles.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { keysOf } from '../lib/keys-of.ts';
import { readPreference, writePreference } from '../lib/storage.ts';
import { useColumns } from '../lib/use-columns.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ButtonLink } from '../ui/button.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { Filter } from '../ui/toolbar.tsx';

const typeOptions = keysOf(emailTypeNames).map((value) => ({ value, label: emailTypeNames[value] }));

/** The columns that may be hidden. */
const hideable = ['Subject', 'Type', 'Updated'];

const views = [
  { value: 'list', label: 'List' },
  { value: 'pictures', label: 'Pictures' },
] as const;
type View = (typeof views)[number]['value'];

/** A preference of this browser. */
const viewPreference = 'templates.view';

export function Component() {
  const to = useProjectPath();
  const [view, setView] = useState<View>(() =>
    readPreference(viewPreference) === 'pictures' ? 'pictures' : 'list',
  );
  const show = (next: View) => {
    setView(next);
    writePreference(viewPreference, next);
  };
  const state = useListState();
  const columns = useColumns('templates', state, hideable);
  const { search, page } = state;
  const type = state.filter('type', typeOptions);
  const sort = state.sort('updatedAt');
  const list = useQuery({
    ...useApi().templates.list.queryOptions({
      page,
      sort: sort.by,
      dir: sort.direction,
      ...(type && { type }),
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
  });
  const templates = list.data?.data ?? [];
  const isFiltered = state.isFiltered('type');
  /** Nothing is there yet, so the list itself offers the one action. */
  const isEmpty = list.isSuccess && templates.length === 0 && !isFiltered;
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('templates/new')}>
      New template
    </ButtonLink>
  );
  return (
    <Page
      title="Templates"
      intro="Reusable emails, sent by ID from your code, a campaign or a workflow."
      actions={!isEmpty && create}
    >
      <ListFrame
        label="Templates"
        search={{ label: 'Search templates', text: state.text, onChange: state.setText }}
        filters={
          <>
            <Filter
              label="Type"
              value={type}
              options={typeOptions}
              onChange={(value) => state.setFilter('type', value)}
            />
            <Segments label="Shown as" options={views} value={view} onChange={show} />
          </>
        }
        {...(view === 'list' && { columns })}
        query={list}
        shown={templates.length}
        isFiltered={isFiltered}
        onClear={state.clear}
        empty={{
          icon: 'template',
          title: 'No templates yet',
          text: <p>Write an email once, and send it from your code, a campaign or a workflow.</p>,
          action: create,
        }}
        pages={state.pagesOf(list.data)}
      >
        {view === 'list' ? (
          <TemplateTable templates={templates} sorting={{ ...sort, onSort: state.setSort }} />
        ) : (
          <TemplateTiles templates={templates} />
        )}
      </ListFrame>
    </Page>
  );
}
