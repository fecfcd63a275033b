import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ContactFacts } from '../features/audience/contacts/contact-facts.tsx';
import { ContactForm } from '../features/audience/contacts/contact-form.tsx';
import { ContactSegments } from '../features/audience/contacts/contact-segments.tsx';
import { ContactTimeline } from '../features/audience/contacts/contact-timeline.tsx';
import { useDeleteContact } from '../features/audience/contacts/delete-contact.tsx';
import { SubscriptionSwitch } from '../features/audience/contacts/subscription-switch.tsx';
import { ContactSuppression } from '../features/audience/suppressions/contact-suppression.tsx';
import { WhyNoEmail } from '../features/common/explain/why-no-email.tsx';
import { useErasePerson } from '../features/insight/privacy/erase-person.tsx';
import { useExportPerson } from '../features/insight/privacy/export-person.tsx';
import { ContactExecutions } from '../features/workflows/executions/contact-executions.tsx';
import { type ContactDetail, useApi } from '../lib/api.ts';
import { isLeader, useProject, useProjectPath } from '../lib/current.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { ActionMenu } from '../ui/menu.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Panel } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from '../ui/split.module.css';

export function Component() {
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
  return <ContactPage contact={contact.data} back={back} />;
}

function ContactPage({ contact, back }: { contact: ContactDetail; back: { to: string; label: string } }) {
  const remove = useDeleteContact(contact);
  const leads = isLeader(useProject());
  const exportPerson = useExportPerson(contact.email);
  const erasePerson = useErasePerson(contact.email);
  return (
    <Page
      title={shownAddress(contact.email)}
      back={back}
      actions={
        <>
          <ActionMenu actions={[leads && exportPerson, remove, leads && erasePerson]} />
          <SubscriptionSwitch contact={contact} />
        </>
      }
    >
      <ContactSuppression email={contact.email} />
      <div className={styles.columns}>
        <div className={styles.side}>
          <Panel title="Address and data">
            <ContactForm key={contact.id} contact={contact} />
          </Panel>
          <ContactTimeline contactId={contact.id} />
        </div>
        <div className={styles.side}>
          <Panel title="Details">
            <ContactFacts contact={contact} />
          </Panel>
          <WhyNoEmail contactId={contact.id} />
          <ContactSegments contactId={contact.id} />
          <ContactExecutions contactId={contact.id} />
        </div>
      </div>
    </Page>
  );
}
