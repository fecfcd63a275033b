import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ContactEmails } from '../features/contacts/contact-emails.tsx';
import { ContactEvents } from '../features/contacts/contact-events.tsx';
import { ContactExecutions } from '../features/contacts/contact-executions.tsx';
import { ContactFacts } from '../features/contacts/contact-facts.tsx';
import { ContactForm } from '../features/contacts/contact-form.tsx';
import { DeleteContact } from '../features/contacts/delete-contact.tsx';
import { SubscriptionSwitch } from '../features/contacts/subscription-switch.tsx';
import { ContactSuppression } from '../features/suppressions/contact-suppression.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function ContactRoute() {
  const { contactId = '' } = useParams();
  const to = useProjectPath();
  const contact = useQuery(useApi().contacts.get.queryOptions({ id: contactId }));
  const back = { to: to('contacts'), label: 'Contacts' };
  if (!contact.data) {
    return (
      <Page title="Contact" back={back}>
        {contact.isError ? (
          <LoadFailure error={contact.error} retry={contact.refetch} />
        ) : (
          <Skeleton lines={8} label="Loading the contact" />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={contact.data.email}
      back={back}
      actions={
        <>
          <DeleteContact contact={contact.data} />
          <SubscriptionSwitch contact={contact.data} />
        </>
      }
    >
      <ContactSuppression email={contact.data.email} />
      <div className={styles.columns}>
        <div className={styles.side}>
          <Panel title="Address and data">
            <ContactForm key={contactId} contact={contact.data} />
          </Panel>
          <ContactEmails contactId={contactId} />
          <ContactExecutions contactId={contactId} />
        </div>
        <div className={styles.side}>
          <Panel title="Details">
            <ContactFacts contact={contact.data} />
          </Panel>
          <ContactEvents contactId={contactId} />
        </div>
      </div>
    </Page>
  );
}
