import { KeysPanel } from '../features/keys/keys-panel.tsx';
import { RequestExample } from '../features/keys/request-example.tsx';
import { graphqlRequest, sendRequest, trackRequest } from '../features/keys/requests.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function KeysRoute() {
  return (
    <Page
      title="API keys"
      intro="A key says which project a request belongs to. Copying an example copies your real key with it."
    >
      <KeysPanel />
      <Panel title="Send a first mail">
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
