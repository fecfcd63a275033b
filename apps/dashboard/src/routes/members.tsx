import { useQuery } from '@tanstack/react-query';
import { InviteForm } from '../features/people/members/invite-form.tsx';
import { MemberTable } from '../features/people/members/member-table.tsx';
import { useApi } from '../lib/api.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function Component() {
  const project = useProject();
  const list = useQuery(useApi().members.list.queryOptions({ id: project.id }));
  return (
    <Page title="Members" intro="People who can work on this project.">
      <ListFrame
        label="Members"
        query={list}
        shown={list.data?.length ?? 0}
        empty={{ icon: 'person', title: 'No members yet' }}
      >
        <MemberTable members={list.data ?? []} />
      </ListFrame>
      {isLeader(project) && (
        <Panel title="Invite a member">
          <InviteForm />
        </Panel>
      )}
    </Page>
  );
}
