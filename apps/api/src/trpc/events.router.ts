import {
  deleteEvents,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventNames,
  listEvents,
  recordEvent,
} from '@postrider/core/events';
import { asMutation, asQuery, t } from './trpc.ts';

export const eventsRouter = t.router({
  list: asQuery(listEvents),
  ofContact: asQuery(listContactEvents),
  names: asQuery(listEventNames),
  stats: asQuery(getEventStats),
  usage: asQuery(getEventUsage),
  record: asMutation(recordEvent),
  delete: asMutation(deleteEvents),
});
