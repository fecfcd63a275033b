import { ConfirmationForm } from '../features/settings/consent/confirmation-form.tsx';
import { CreateTopic } from '../features/settings/consent/create-topic.tsx';
import { RecipientPages } from '../features/settings/consent/recipient-pages.tsx';
import { Topics } from '../features/settings/consent/topics.tsx';
import { useProject } from '../lib/current.ts';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';

export function Component() {
  const { id } = useProject();
  return (
    <Page
      title="Consent"
      intro="Topics divide your email into kinds that contacts can choose. Who does not receive a topic is left out of its email."
      actions={<CreateTopic />}
    >
      <Topics />
      <Panel title="Confirmation">
        <ConfirmationForm key={id} />
      </Panel>
      <Panel title="Pages of recipients" flush>
        <RecipientPages key={id} />
      </Panel>
    </Page>
  );
}
