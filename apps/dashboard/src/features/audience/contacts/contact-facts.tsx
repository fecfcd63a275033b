import type { ContactDetail } from '../../../lib/api.ts';
import { formatCount } from '../../../lib/format.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { CopyChip } from '../../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { Moment } from '../../../ui/time.tsx';
import { ContactState } from './contact-state.tsx';

export function ContactFacts({ contact }: { contact: ContactDetail }) {
  return (
    <Facts>
      <Fact name="Email">{shownAddress(contact.email)}</Fact>
      <Fact name="Status">
        <ContactState {...contact} />
      </Fact>
      {contact.snoozedUntil && (
        <Fact name="Paused until">
          <Moment at={contact.snoozedUntil} />
        </Fact>
      )}
      {contact.limits.granted.map(({ hours, count, max }) => (
        <Fact key={hours} name={`Emails in ${formatCount(hours)} h`}>
          {formatCount(count)} of {formatCount(max)}
        </Fact>
      ))}
      {contact.limits.quietUntil && (
        <Fact name="Quiet until">
          <Moment at={contact.limits.quietUntil} />
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
