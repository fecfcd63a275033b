import type { SqlConstants } from '../../base/db/index.ts';
import { actsKeptFor } from './consent.rules.ts';

/** What an act does not have any more once its contact is deleted (behaviour B12.9), but for the hash that finds it then. */
const ofPeople = [
  'contactId',
  'addressHash',
  'refusal',
  'actorId',
  'keyName',
  'topicDefaults',
  'until',
  'before',
  'formId',
  'formVersion',
  'emailId',
  'jobId',
  'executionId',
  'requestId',
  'eventId',
  'page',
  'ip',
  'userAgent',
  'evidence',
];

export const constants: SqlConstants = { ofPeople, keptFor: actsKeptFor };
