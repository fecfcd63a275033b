import { KeysPanel } from '../features/settings/keys/keys-panel.tsx';
import { NamedKeysPanel } from '../features/settings/keys/named-keys-panel.tsx';
import { RequestExample } from '../features/settings/keys/request-example.tsx';
import {
  graphqlRequest,
  sendRequest,
  smtpSettings,
  trackRequest,
} from '../features/settings/keys/requests.ts';
import { isLeader, useProject } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

const guide = (name: string, label: string) => (
  <a href={`/docs/${name}`} target="_blank" rel="noreferrer">
    {label}
  </a>
);

export function Component() {
  const project = useProject();
  return (
    <Page
      title="API keys"
      intro="API keys identify your project. The examples below include your real key when you copy them."
    >
      <KeysPanel />
      {isLeader(project) && <NamedKeysPanel key={project.id} />}
      <Panel title="Send your first email">
        <RequestExample title="REST" build={sendRequest} />
        <RequestExample title="GraphQL" build={graphqlRequest} />
        <RequestExample title="SMTP, if your installation accepts it" build={smtpSettings} />
        <p>
          The documentation has SDKs for {guide('sdk-typescript', 'TypeScript')},{' '}
          {guide('sdk-python', 'Python')} and {guide('sdk-go', 'Go')}.
        </p>
      </Panel>
      <Panel title="Track events">
        <RequestExample
          title="With the public key"
          build={trackRequest}
          keyType="public"
          first="javascript"
        />
      </Panel>
    </Page>
  );
}
