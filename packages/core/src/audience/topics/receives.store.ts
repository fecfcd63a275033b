import { constant, Prisma } from '../../base/db/index.ts';
import { generalNumber } from './topics.rules.ts';

/** What decides whether a contact receives a topic. */
export interface ReceivedTopic {
  number: number;
  default: 'IN' | 'OUT';
}

/** What a contact chose, as expressions of SQL. */
export interface Choices {
  subscribed: Prisma.Sql;
  topicsOn: Prisma.Sql;
  topicsOff: Prisma.Sql;
  topicDefaults: Prisma.Sql;
}

/** A topic as expressions of SQL. */
export interface TopicSql {
  number: Prisma.Sql;
  isIn: Prisma.Sql;
}

/** The choices in the row with this alias, which has these columns of "Contact". */
export const choicesOf = (alias: string): Choices => ({
  subscribed: constant(`${alias}."subscribed"`),
  topicsOn: constant(`${alias}."topicsOn"`),
  topicsOff: constant(`${alias}."topicsOff"`),
  topicDefaults: constant(`${alias}."topicDefaults"`),
});

/** A topic as values of a statement; without one, email that is not transactional belongs to `general`. */
export const topicSql = (topic: ReceivedTopic | null): TopicSql =>
  topic
    ? {
        number: Prisma.sql`${topic.number}::smallint`,
        isIn: topic.default === 'IN' ? constant('true') : constant('false'),
      }
    : { number: constant(`${generalNumber}::smallint`), isIn: constant('true') };

/** SQL: whether a contact receives a topic. */
export const receives = (
  { subscribed, topicsOn, topicsOff, topicDefaults }: Choices,
  { number, isIn }: TopicSql,
): Prisma.Sql =>
  Prisma.sql`receives_topic(${subscribed}, ${topicsOn}, ${topicsOff}, ${topicDefaults}, ${number}, ${isIn})`;

/** SQL: whether the contact with this alias receives a topic. */
export const receivesSql = (alias: string, topic: ReceivedTopic): Prisma.Sql =>
  receives(choicesOf(alias), topicSql(topic));

/** SQL: whether a contact has choices, as the condition of the index `Contact_choices`: any other receives the topics whose default is IN. */
export const hasChoices = (alias: string): Prisma.Sql =>
  constant(`(${alias}."topicsOn" <> '{}' OR ${alias}."topicsOff" <> '{}' OR NOT ${alias}."topicDefaults")`);
