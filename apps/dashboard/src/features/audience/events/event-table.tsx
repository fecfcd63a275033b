import { isReservedEvent } from '@postrider/core/base/event-types/contract';
import { Link } from 'react-router';
import type { EventItem } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { Fold } from '../../../ui/fold.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { dataInWords } from './data-in-words.rules.ts';
import { EventFacts } from './event-facts.tsx';
import { eventPath } from './event-path.ts';
import styles from './events.module.css';

interface EventTableProps {
  events: EventItem[];
  /** Hides the name, where all events have the same one. */
  sameName: boolean;
}

export function EventTable({ events, sameName }: EventTableProps) {
  const to = useProjectPath();
  return (
    <Table
      label="Events"
      columns={[
        ...(sameName ? [] : [{ label: 'Event' }]),
        { label: 'Contact', extra: !sameName },
        { label: 'Data', extra: true },
        { label: 'When', numeric: true },
      ]}
    >
      {events.map((event) => (
        <Row key={event.id}>
          {!sameName && (
            <Cell clip>
              <span className={styles.name}>
                <Icon name={sourceIcon(event)} size={14} />
                <Link to={to(eventPath(event.name))}>{event.name}</Link>
              </span>
              <SecondLine>
                <Who event={event} />
                <EventData event={event} />
              </SecondLine>
            </Cell>
          )}
          <Cell clip={sameName} extra={!sameName}>
            <span className={styles.who}>
              <Who event={event} />
            </span>
            {sameName && (
              <SecondLine>
                <EventData event={event} />
              </SecondLine>
            )}
          </Cell>
          <Cell clip extra>
            <EventData event={event} />
          </Cell>
          <Cell numeric faint>
            <Ago at={event.createdAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Where an event came from: an email, a segment, a subscription, or the user's own product. */
function sourceIcon({ name, emailId }: EventItem): IconName {
  if (emailId !== null || name.startsWith('email.')) return 'mail';
  if (name.startsWith('segment.')) return 'segment';
  return name.startsWith('contact.') ? 'person' : 'event';
}

function Who({ event: { contact, contactId } }: { event: EventItem }) {
  const to = useProjectPath();
  if (contact) return <Link to={to(`contacts/${contact.id}`)}>{shownAddress(contact.email)}</Link>;
  return contactId ? 'Deleted contact' : 'None';
}

/** The data of an event on one line, and in full when expanded. Of an event of an email, the line is its subject. */
function EventData({ event: { name, data, emailId } }: { event: EventItem }) {
  const to = useProjectPath();
  const mail = emailId && <Link to={to(`emails/${emailId}`)}>View email</Link>;
  if (data === null || Object.keys(data).length === 0) return mail;
  const { subject } = data;
  const isEmail = name.startsWith('email.') && typeof subject === 'string' && subject !== '';
  return (
    <Fold className={isEmail ? styles.subject : styles.data} summary={isEmail ? subject : dataInWords(data)}>
      <EventFacts name={name} data={data} />
      {!(isReservedEvent(name) && 'emailId' in data) && mail}
    </Fold>
  );
}
