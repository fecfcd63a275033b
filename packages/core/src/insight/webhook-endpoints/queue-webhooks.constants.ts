import type { SqlConstants } from '../../base/db/index.ts';
import { reportedActivities } from '../../base/event-types/event-types.rules.ts';
import { typesOfFormat } from './formats/format-types.rules.ts';

export const constants: SqlConstants = {
  reportedActivities,
  foreignTypes: Object.entries(typesOfFormat).flatMap(([format, types]) =>
    types.map((type) => `${format} ${type}`),
  ),
};
