import {
  deleteEvents,
  getDailyEvents,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventFigures,
  listEventNames,
  listEvents,
  recordEvent,
  searchEvents,
} from '@postrider/core/audience/events';
import { asMutation, asQuery, t } from './trpc.ts';

export const eventsRouter = t.router({
  list: asQuery(listEvents),
  search: asQuery(searchEvents),
  figures: asQuery(listEventFigures),
  daily: asQuery(getDailyEvents),
  listOfContact: asQuery(listContactEvents),
  names: asQuery(listEventNames),
  stats: asQuery(getEventStats),
  usage: asQuery(getEventUsage),
  record: asMutation(recordEvent),
  delete: asMutation(deleteEvents),
});
