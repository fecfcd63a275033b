import type { SqlConstants } from '../../base/db/index.ts';
import { generalTopic } from './topics.rules.ts';

export const constants: SqlConstants = { key: generalTopic.key, name: JSON.stringify(generalTopic.name) };
