import type { Contact } from '../../../lib/api.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { CopyChip } from '../../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';
import { ContactState } from './contact-state.tsx';

export function ContactFacts({ contact }: { contact: Contact }) {
  return (
    <Facts>
      <Fact name="Email">{shownAddress(contact.email)}</Fact>
      <Fact name="Status">
        <ContactState {...contact} />
      </Fact>
      {contact.snoozedUntil && (
        <Fact name="Snoozed until">
          <Moment at={contact.snoozedUntil} />
        </Fact>
      )}
      <Fact name="Created">
        <Moment at={contact.createdAt} />
      </Fact>
      <Fact name="Updated">
        <Moment at={contact.updatedAt} />
      </Fact>
      {contact.externalId !== null && (
        <Fact name="External ID">
          <CopyChip text={contact.externalId} label="external ID" />
        </Fact>
      )}
      <Fact name="Contact ID">
        <CopyChip text={contact.id} label="contact ID" />
      </Fact>
    </Facts>
  );
}
