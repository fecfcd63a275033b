import { type DragEvent, useState } from 'react';
import { Link } from 'react-router';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { type Day, weeksOf } from '../../ui/calendar.rules.ts';
import { dayInWords, weekdays } from '../../ui/calendar.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './campaign-calendar.module.css';
import { byDay, type CalendarEntry, type CalendarItem, dayOfZone } from './campaign-calendar.rules.ts';
import { campaignStatusNames } from './campaign-status.tsx';
import { MoveCampaign } from './move-campaign.tsx';

interface MonthTurnerProps {
  onTurn: (months: number) => void;
  onToday: () => void;
}

export const MonthTurner = ({ onTurn, onToday }: MonthTurnerProps) => (
  <span className={styles.turner}>
    <Button kind="quiet" small aria-label="Previous month" onClick={() => onTurn(-1)}>
      <Icon name="back" />
    </Button>
    <Button kind="quiet" small onClick={onToday}>
      Today
    </Button>
    <Button kind="quiet" small aria-label="Next month" onClick={() => onTurn(1)}>
      <Icon name="chevron" />
    </Button>
  </span>
);

interface CampaignCalendarProps {
  /** The first day of the month. */
  month: Day;
  items: readonly CalendarItem[];
}

/** A campaign that is about to be moved, and where to. */
interface Move {
  item: CalendarItem;
  /** null where it is yet to be chosen */
  day: Day | null;
}

const canMove = ({ kind, status }: CalendarItem): boolean => kind === 'campaign' && status === 'SCHEDULED';

/**
 * The weeks of a month with what takes place on each day; on narrow screens a list of the days that have something. A scheduled campaign is
 * dragged to another day, or moved by its button: both ask for the new time.
 */
export function CampaignCalendar({ month, items }: CampaignCalendarProps) {
  const { timeZone } = useProject();
  const today = dayOfZone(useNow(), timeZone);
  const days = byDay(items, timeZone);
  const [dragged, setDragged] = useState<CalendarItem | null>(null);
  const [over, setOver] = useState<Day | null>(null);
  const [move, setMove] = useState<Move | null>(null);
  const target = (day: Day) =>
    dragged && day >= today
      ? {
          onDragOver: (event: DragEvent) => {
            event.preventDefault();
            setOver(day);
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault();
            setMove({ item: dragged, day });
          },
        }
      : {};
  const drag = (item: CalendarItem | null) => {
    setDragged(item);
    setOver(null);
  };
  return (
    <>
      <table className={styles.calendar} aria-label="Campaigns by day">
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const started = days.get(day) ?? [];
                return (
                  <td
                    key={day}
                    data-outside={day.slice(0, 7) !== month.slice(0, 7) || undefined}
                    data-empty={started.length === 0 || undefined}
                    data-over={(dragged && over === day) || undefined}
                    {...target(day)}
                  >
                    <time dateTime={day} aria-current={day === today ? 'date' : undefined}>
                      <span className={styles.number} aria-hidden="true">
                        {Number(day.slice(8))}
                      </span>
                      <span className={styles.words}>{dayInWords(day)}</span>
                    </time>
                    {started.length > 0 && (
                      <Entries
                        entries={started}
                        timeZone={timeZone}
                        onDrag={drag}
                        onMove={(item) => setMove({ item, day: null })}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {move && <MoveCampaign {...move} onClose={() => setMove(null)} />}
    </>
  );
}

interface EntriesProps {
  entries: readonly CalendarEntry[];
  timeZone: string;
  /** null at the end */
  onDrag: (item: CalendarItem | null) => void;
  onMove: (item: CalendarItem) => void;
}

function Entries({ entries, timeZone, onDrag, onMove }: EntriesProps) {
  const to = useProjectPath();
  const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone });
  return (
    <ul className={styles.items}>
      {entries.map((entry) => (
        <li
          key={`${entry.kind} ${entry.id} ${entry.at}`}
          data-status={entry.status}
          data-kind={entry.kind}
          draggable={canMove(entry) || undefined}
          onDragStart={() => onDrag(canMove(entry) ? entry : null)}
          onDragEnd={() => onDrag(null)}
        >
          <Link to={to(pageOf(entry))} title={titleOf(entry)} draggable={false}>
            <span className={styles.at}>{clock.format(new Date(entry.at))}</span>{' '}
            <span className="visually-hidden">{stateOf(entry)}: </span>
            {entry.name}
            {entry.times > 1 && ` (${entry.times} times)`}
          </Link>
          {canMove(entry) && (
            <button
              type="button"
              className={styles.move}
              aria-label={`Move ${entry.name}`}
              title="Move to another time"
              onClick={() => onMove(entry)}
            >
              <Icon name="calendar" size={12} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const pageOf = ({ kind, id }: CalendarItem): string =>
  kind === 'schedule' ? `workflows/${id}` : `campaigns/${id}`;

function stateOf({ kind, status }: CalendarItem): string {
  if (kind === 'wave') return 'Wave';
  if (kind === 'decision') return 'End of the test';
  return status === 'ENABLED' ? 'Workflow' : campaignStatusNames[status];
}

const titleOf = ({ name, audience, recipients }: CalendarItem): string =>
  `${name}: ${audience}${recipients === null ? '' : `, ${formatCount(recipients)}`}`;
