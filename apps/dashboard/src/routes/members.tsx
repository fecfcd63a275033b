import { useQuery } from '@tanstack/react-query';
import { InviteForm } from '../features/members/invite-form.tsx';
import { MemberTable } from '../features/members/member-table.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame, Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function MembersRoute() {
  const project = useProject();
  const list = useQuery(useApi().members.list.queryOptions({ id: project.id }));
  return (
    <Page title="Members" intro="People who can work on this project.">
      <Frame label="Members">
        {list.isPending && <Skeleton lines={3} label="Loading members" />}
        {list.isError && <LoadFailure error={list.error} retry={list.refetch} />}
        {list.data && <MemberTable members={list.data} />}
      </Frame>
      {isLeader(project) && (
        <Panel title="Invite a member">
          <InviteForm />
        </Panel>
      )}
    </Page>
  );
}
