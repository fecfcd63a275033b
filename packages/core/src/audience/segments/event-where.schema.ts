import { z } from 'zod';
import { accepting } from '../../base/kernel/schemas.ts';
import { eventConditionsForm } from './filter-forms.schema.ts';
import type { WhereCondition } from './filters.rules.ts';
import { readEventWhere } from './occurrences.schema.ts';

/** Conditions on the data of an event in a request, 1 to 10, which must all hold (behaviour B2.5). */
export const eventWhere = accepting(
  z.unknown().transform((value, ctx): WhereCondition[] => {
    let isRead = true;
    const where = readEventWhere(value, (path, code, message, input) => {
      isRead = false;
      ctx.issues.push({ code: 'custom', params: { code }, path, message, input });
    });
    return where && isRead ? where : z.NEVER;
  }),
  eventConditionsForm,
);
