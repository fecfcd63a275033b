import { generalKey, textIn } from '@postrider/core/audience/topics/contract';
import type { Topic } from '../../../lib/api.ts';

/** The name of a topic as the team reads it: in the language of the project, else in the first that it has. */
export const nameOfTopic = ({ name }: Pick<Topic, 'name'>, language: string): string =>
  textIn(name, language);

/** Who receives a topic, in a few words. */
export const receiversInWords = ({ default: fallback }: Pick<Topic, 'default'>): string =>
  fallback === 'IN' ? 'Subscribed contacts, until they say no' : 'Contacts who chose it';

export const isGeneral = ({ key }: Pick<Topic, 'key'>): boolean => key === generalKey;
