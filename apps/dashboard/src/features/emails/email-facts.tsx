import { Link } from 'react-router';
import type { EmailDetail } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { shownAddress } from '../../lib/shown-address.rules.ts';
import { CopyChip } from '../../ui/copy-chip.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/time.tsx';
import { TopicName } from '../common/topics/topic-name.tsx';
import { emailTypeNames } from './email-type-names.ts';
import { OriginFacts } from './origin-facts.tsx';

const address = (name: string | null, email: string): string => (name ? `${name} <${email}>` : email);

export const fieldNames: Readonly<Record<EmailDetail['recipientType'], string>> = {
  TO: 'To',
  CC: 'Cc',
  BCC: 'Bcc',
};

/** What an email waits for, in words. */
const waitNames: Readonly<Record<NonNullable<EmailDetail['heldBy']>, string>> = {
  schedule: 'Its time',
  retry: 'The next attempt',
  route: 'The mail server, which takes no email at present',
  queue: 'Emails before it',
  cap: 'Its turn within the limits of its contact',
  quiet_hours: 'The end of the quiet hours of its contact',
  paused: 'Its campaign, which is paused',
  pace: 'Its turn by the pace of its campaign',
  test: 'The winner of the test of its campaign',
  restore: 'Its release after the installation was restored from a backup',
};

export function EmailFacts({ email }: { email: EmailDetail }) {
  const to = useProjectPath();
  return (
    <Facts>
      <Fact name={fieldNames[email.recipientType]}>
        {email.to === '' ? 'Deleted contact' : address(email.toName, shownAddress(email.to))}
      </Fact>
      <Fact name="From">{address(email.fromName, email.from)}</Fact>
      {email.replyTo && <Fact name="Reply-to">{email.replyTo}</Fact>}
      <Fact name="Type">{emailTypeNames[email.type]}</Fact>
      {email.topic && (
        <Fact name="Topic">
          <TopicName topic={email.topic} />
        </Fact>
      )}
      <OriginFacts email={email} />
      {email.scheduledAt && (
        <Fact name="Scheduled for">
          <Moment at={email.scheduledAt} />
        </Fact>
      )}
      {email.heldBy && <Fact name="Waits for">{waitNames[email.heldBy]}</Fact>}
      {email.heldBy === 'queue' && email.estimatedSendAt && (
        <Fact name="Expected">
          <Moment at={email.estimatedSendAt} />
        </Fact>
      )}
      {email.tags.length > 0 && (
        <Fact name="Tags">
          {email.tags.map((tag, index) => (
            <span key={tag}>
              {index > 0 && ', '}
              <Link to={`${to('emails')}?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
            </span>
          ))}
        </Fact>
      )}
      {Object.entries(email.metadata).map(([key, value]) => (
        <Fact key={key} name={key}>
          <Link to={`${to('emails')}?metadata=${encodeURIComponent(`${key}:${value}`)}`}>{value}</Link>
        </Fact>
      ))}
      <Fact name="Attempts">{formatCount(email.attempts)}</Fact>
      {email.status === 'PENDING' && email.nextAttemptAt && (
        <Fact name="Next attempt">
          <Moment at={email.nextAttemptAt} />
        </Fact>
      )}
      <Fact name="Opens">{formatCount(email.opens)}</Fact>
      <Fact name="Clicks">{formatCount(email.clicks)}</Fact>
      {email.messageId && (
        <Fact name="Message-ID">
          <CopyChip text={email.messageId} label="message-ID" />
        </Fact>
      )}
      <Fact name="Email ID">
        <CopyChip text={email.id} label="email ID" />
      </Fact>
      {email.sourceType === 'TRANSACTIONAL' && (
        <Fact name="Request">
          <Link to={to(`requests?email=${email.id}`)}>View request</Link>
        </Fact>
      )}
      {email.contactId && (
        <Fact name="Contact">
          <Link to={to(`contacts/${email.contactId}`)}>View contact</Link>
        </Fact>
      )}
    </Facts>
  );
}
