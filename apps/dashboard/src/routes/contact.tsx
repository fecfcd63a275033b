import { nameOf } from '@postrider/core/audience/contacts/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useAddContactToSegment } from '../features/audience/contacts/add-contact-to-segment.tsx';
import { ContactData } from '../features/audience/contacts/contact-data.tsx';
import { ContactFacts } from '../features/audience/contacts/contact-facts.tsx';
import { ContactForm } from '../features/audience/contacts/contact-form.tsx';
import { contactName } from '../features/audience/contacts/contact-name.ts';
import styles from '../features/audience/contacts/contact-page.module.css';
import { ContactSegments } from '../features/audience/contacts/contact-segments.tsx';
import { ContactState } from '../features/audience/contacts/contact-state.tsx';
import { ContactTimeline } from '../features/audience/contacts/contact-timeline.tsx';
import { useDeleteContact } from '../features/audience/contacts/delete-contact.tsx';
import { SubscriptionSwitch } from '../features/audience/contacts/subscription-switch.tsx';
import { ContactSuppression } from '../features/audience/suppressions/contact-suppression.tsx';
import { useSuppressContact } from '../features/audience/suppressions/suppress-contact.tsx';
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

/** What happened to a person first, with what is known beside it; the form last. */
function ContactPage({ contact, back }: { contact: ContactDetail; back: { to: string; label: string } }) {
  const remove = useDeleteContact(contact);
  const suppress = useSuppressContact(contact.email);
  const addToSegment = useAddContactToSegment(contact);
  const leads = isLeader(useProject());
  const exportPerson = useExportPerson(contact.email);
  const erasePerson = useErasePerson(contact.email);
  return (
    <Page
      title={contactName(contact)}
      back={back}
      intro={
        <span className={styles.who}>
          {nameOf(contact.data) !== null && <span>{shownAddress(contact.email)}</span>}
          <ContactState {...contact} />
        </span>
      }
      actions={
        <>
          <ActionMenu
            actions={[addToSegment, suppress, leads && exportPerson, remove, leads && erasePerson]}
          />
          <SubscriptionSwitch contact={contact} />
        </>
      }
    >
      <ContactSuppression email={contact.email} />
      <div className={styles.person}>
        <div className={styles.story}>
          <ContactTimeline contactId={contact.id} />
        </div>
        <div className={styles.side}>
          <WhyNoEmail contactId={contact.id} />
          <ContactData data={contact.data} />
          <ContactSegments contactId={contact.id} />
          <ContactExecutions contactId={contact.id} />
          <Panel title="Details">
            <ContactFacts contact={contact} />
          </Panel>
        </div>
        <div className={styles.form} id="edit">
          <Panel title="Address and data">
            <ContactForm key={contact.id} contact={contact} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}
