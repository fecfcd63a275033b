import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { nameOfTopic } from './topic-words.rules.ts';

/** The name of a topic, or its key where the project does not list it any more. */
export function TopicName({ topic: key }: { topic: string }) {
  const { language } = useProject();
  const topics = useQuery(useApi().topics.list.queryOptions({}));
  const topic = topics.data?.find((each) => each.key === key);
  return topic ? nameOfTopic(topic, language) : key;
}
