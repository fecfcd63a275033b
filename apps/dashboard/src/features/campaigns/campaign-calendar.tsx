import { Link } from 'react-router';
import { useProject, useProjectPath } from '../../lib/current.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { type Day, weeksOf } from '../../ui/calendar.rules.ts';
import { dayInWords, weekdays } from '../../ui/calendar.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './campaign-calendar.module.css';
import { byDay, type CalendarItem, dayOfZone } from './campaign-calendar.rules.ts';
import { campaignStatusNames } from './campaign-status.tsx';

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

/** The weeks of a month with the campaigns of each day; on narrow screens a list of the days that have some. */
export function CampaignCalendar({ month, items }: CampaignCalendarProps) {
  const { timeZone } = useProject();
  const today = dayOfZone(useNow(), timeZone);
  const days = byDay(items, timeZone);
  return (
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
                >
                  <time dateTime={day} aria-current={day === today ? 'date' : undefined}>
                    <span className={styles.number} aria-hidden="true">
                      {Number(day.slice(8))}
                    </span>
                    <span className={styles.words}>{dayInWords(day)}</span>
                  </time>
                  {started.length > 0 && <Started items={started} timeZone={timeZone} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Started({ items, timeZone }: { items: readonly CalendarItem[]; timeZone: string }) {
  const to = useProjectPath();
  const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone });
  return (
    <ul className={styles.items}>
      {items.map(({ id, name, status, at }) => (
        <li key={id} data-status={status}>
          <Link to={to(`campaigns/${id}`)} title={name}>
            <span className={styles.at}>{clock.format(new Date(at))}</span>{' '}
            <span className="visually-hidden">{campaignStatusNames[status]}: </span>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
