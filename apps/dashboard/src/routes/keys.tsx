import { Link } from 'react-router';
import { useSender } from '../features/domains/use-sender.ts';
import { KeysPanel } from '../features/keys/keys-panel.tsx';
import { RequestExample } from '../features/keys/request-example.tsx';
import { graphqlRequest, sendRequest, trackRequest } from '../features/keys/requests.ts';
import { useProjectPath } from '../lib/current.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function KeysRoute() {
  const to = useProjectPath();
  const sender = useSender();
  return (
    <Page
      title="API keys"
      intro="A key says which project a request belongs to. Copying an example copies your real key with it."
    >
      <KeysPanel />
      <Panel title="Send a first mail">
        {!sender.isVerified && (
          <Notice tone="warn" title="No verified domain yet">
            <p>
              The sender in these examples is refused until{' '}
              <Link to={to('domains')}>a domain is verified</Link>.
            </p>
          </Notice>
        )}
        <RequestExample title="REST" build={sendRequest} />
        <RequestExample title="GraphQL" build={graphqlRequest} />
      </Panel>
      <Panel title="Track what people do">
        <RequestExample
          title="From a page or an app, with the public key"
          build={trackRequest}
          keyType="public"
        />
      </Panel>
    </Page>
  );
}
