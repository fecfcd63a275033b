import { z } from 'zod';
import {
  cursorListOf,
  cursorQuery,
  filterEnum,
  isoDate,
  namedEnum,
  recordId,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

/** Source references that a project may have. */
export const sourceRefLimit = 10_000;
export const longestSourceId = 255;

export const sourceService = namedEnum('SourceService', ['resend', 'postmark', 'sendgrid', 'mailgun']);
export type SourceService = z.output<typeof sourceService>;
export const sourceRefKind = namedEnum('SourceRefKind', ['TEMPLATE', 'SEGMENT']);
export type SourceRefKind = z.output<typeof sourceRefKind>;

/** As it is: ids are told apart by case, and none of them is trimmed. */
const sourceId = z
  .string()
  .refine((id) => id !== '', { params: { code: 'required' }, message: 'Required', abort: true })
  .refine((id) => id.length <= longestSourceId, {
    params: { code: 'too_big' },
    message: `At most ${longestSourceId} characters`,
  })
  .refine((id) => !/\p{Cc}/u.test(id), {
    params: { code: 'custom' },
    message: 'Must not contain control characters',
  })
  .meta({
    minLength: 1,
    maxLength: longestSourceId,
    description: 'Id or name that the record has there, 1 to 255 characters, as programs send it.',
    examples: ['d-3f0f0d0c9a7b4e5f8a1b2c3d4e5f6a7b'],
  });

const source = sourceService.describe('The other service.');
const kind = sourceRefKind.describe('What the id means: a template or a segment.');

export const sourceRefOutput = z
  .object({
    source,
    kind,
    sourceId: z.string().meta({
      description: 'Id or name that the record has there.',
      examples: ['d-3f0f0d0c9a7b4e5f8a1b2c3d4e5f6a7b'],
    }),
    id: recordId.describe('Id of the template or segment that it became here.'),
    createdAt: isoDate.describe('When the reference was first set.'),
  })
  .describe('What a record of another service became, so that its id in unchanged programs finds it.')
  .register(typeNames, { name: 'SourceRef' });

export const setSourceRefInput = z.object({
  source,
  kind,
  sourceId,
  id: uuid.describe('Id of the template or segment here.'),
});

export const removeSourceRefInput = z.object({ source, kind, sourceId });

export const listSourceRefsInput = z.object({
  ...cursorQuery,
  source: filterEnum('source', sourceService).describe('Only references of this service.'),
  kind: filterEnum('kind', sourceRefKind).describe('Only references to records of this kind.'),
});

export const sourceRefList = cursorListOf(sourceRefOutput);
