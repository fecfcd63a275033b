import { CreateTopic } from '../features/settings/consent/create-topic.tsx';
import { Topics } from '../features/settings/consent/topics.tsx';
import { Page } from '../ui/page.tsx';

export function Component() {
  return (
    <Page
      title="Consent"
      intro="Topics divide your email into kinds that contacts can choose. Who does not receive a topic is left out of its email."
      actions={<CreateTopic />}
    >
      <Topics />
    </Page>
  );
}
