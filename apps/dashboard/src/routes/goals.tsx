import { useInfiniteQuery } from '@tanstack/react-query';
import { GoalTable } from '../features/insight/goals/goal-table.tsx';
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
    useApi().goals.list.infiniteQueryOptions(
      { limit: 50 },
      { getNextPageParam: ({ cursor }) => cursor ?? undefined },
    ),
  );
  const goals = list.data?.pages.flatMap(({ data }) => data);
  const create = (
    <ButtonLink kind="primary" icon="plus" to={to('goals/new')}>
      New goal
    </ButtonLink>
  );
  return (
    <Page
      title="Goals"
      intro="Events that your emails are meant to lead to, such as a purchase. Each is credited to the email that led to it."
      actions={goals && goals.length > 0 && create}
    >
      {list.isPending && <Skeleton lines={6} label="Loading the goals" />}
      {list.isError && !goals && <LoadFailure error={list.error} retry={list.refetch} />}
      {goals?.length === 0 && (
        <Frame label="Goals">
          <EmptyState icon="goal" title="No goals yet" action={create}>
            <p>
              With a goal you see which campaigns and workflows lead to what you hope for, and workflows can
              end for those who have done it.
            </p>
          </EmptyState>
        </Frame>
      )}
      {goals && goals.length > 0 && (
        <Frame label="Goals">
          <GoalTable goals={goals} />
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
