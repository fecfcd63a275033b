import { emailStatuses, StatusLegend } from '../features/emails/email-status.tsx';
import { EmailTable } from '../features/emails/email-table.tsx';
import { sourceNames } from '../features/emails/source.ts';
import { useEmailList } from '../features/emails/use-email-list.ts';
import { RequestExample } from '../features/keys/request-example.tsx';
import { sendRequest } from '../features/keys/requests.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const statusOptions = keysOf(emailStatuses).map((value) => ({ value, label: emailStatuses[value].label }));
const sourceOptions = keysOf(sourceNames).map((value) => ({ value, label: sourceNames[value] }));

export function EmailsRoute() {
  const state = useListState();
  const { search } = state;
  const status = state.filter('status', statusOptions);
  const sourceType = state.filter('source', sourceOptions);
  const campaignId = state.param('campaign');
  const list = useEmailList({
    ...(status && { status }),
    ...(sourceType && { sourceType }),
    ...(campaignId && { campaignId }),
    ...(search && { search }),
  });
  return (
    <Page
      title="Emails"
      intro={campaignId ? 'Emails of one campaign and their status.' : 'All emails and their status.'}
    >
      <ListFrame
        label="Emails"
        search={{ label: 'Search addresses and subjects', text: state.text, onChange: state.setText }}
        filters={
          <>
            <Filter
              label="Status"
              value={status}
              options={statusOptions}
              onChange={(value) => state.setFilter('status', value)}
            />
            <Filter
              label="Origin"
              value={sourceType}
              options={sourceOptions}
              onChange={(value) => state.setFilter('source', value)}
            />
          </>
        }
        query={list}
        shown={list.emails.length}
        isFiltered={state.isFiltered('status', 'source', 'campaign')}
        onClear={state.clear}
        empty={{
          icon: 'mail',
          title: 'No emails yet',
          text: <RequestExample title="Send your first email" build={sendRequest} />,
        }}
        more={{ query: list, total: list.total }}
      >
        <EmailTable emails={list.emails} />
      </ListFrame>
      <StatusLegend />
    </Page>
  );
}
