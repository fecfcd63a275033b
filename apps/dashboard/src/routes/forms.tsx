import { useInfiniteQuery } from '@tanstack/react-query';
import { FormTable } from '../features/audience/forms/form-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function Component() {
  const to = useProjectPath();
  const list = useInfiniteQuery(
    useApi().forms.list.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: ({ cursor }) => cursor ?? undefined },
    ),
  );
  const forms = list.data?.pages.flatMap(({ data }) => data);
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('forms/new')}>
      New form
    </ButtonLink>
  );
  return (
    <Page
      title="Forms"
      intro="Sign-up forms for your pages. Whoever signs up confirms it by email, and the exact words are kept."
      actions={forms && forms.length > 0 && create}
    >
      {list.isPending && <Skeleton lines={6} label="Loading the forms" />}
      {list.isError && !forms && <LoadFailure error={list.error} retry={list.refetch} />}
      {forms?.length === 0 && (
        <Frame label="Forms">
          <EmptyState icon="form" title="No forms yet" action={create}>
            <p>
              A form is a link, a piece of HTML or a frame on your page. It needs no key, and gives the same
              answer for every address.
            </p>
          </EmptyState>
        </Frame>
      )}
      {forms && forms.length > 0 && (
        <Frame label="Forms">
          <FormTable forms={forms} />
        </Frame>
      )}
      {list.hasNextPage && (
        <div>
          <Button onClick={() => list.fetchNextPage()} pending={list.isFetchingNextPage}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}
