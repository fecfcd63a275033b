import { appliedConsents } from '../../audience/consent/index.ts';
import { constant, Prisma } from '../../base/db/index.ts';

/**
 * What a hard bounce or complaint does to its contact (behaviour B3.2), whether the mail server's reply or a later report says so: it is
 * unsubscribed as by its recipient, and a snooze ends without subscribing it again. Only one that was subscribed emits `contact.unsubscribed`. A bounce
 * says nothing about who was not subscribed.
 *
 * @param reported rows with the "id" and "projectId" of a locked contact, and the "emailId" of the email
 * @param source of the row `r`: `bounce` or `complaint`
 */
export const optOutsByReport = (reported: string, source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT a.* FROM (
    SELECT r."projectId", jsonb_agg(jsonb_build_object('contact', r."id", 'emailId', r."emailId", 'source', ${source}, 'reason', ${source},
      'ifReachable', ${source} = 'bounce')) AS "said" FROM ${constant(reported)} r GROUP BY r."projectId"
  ) g CROSS JOIN LATERAL ${appliedConsents(
    constant('g."projectId"'),
    constant(
      `'{"by": "recipient", "actor": "system", "kind": "state", "wanted": false, "always": true}'::jsonb`,
    ),
    constant('g."said"'),
  )} a`;
