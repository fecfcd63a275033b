export { listCalendar } from './list-calendar.ts';
