import {
  assertPermission,
  type Operation,
  type ProjectState,
  projectOf,
  trackingMode,
} from '@postrider/core/base/kernel';
import { getSetupState } from '@postrider/core/insight/analytics';
import { listDomains } from '@postrider/core/people/domains';
import { listMembers } from '@postrider/core/people/members';
import { getSecurity } from '@postrider/core/people/reputation';
import { getStorage } from '@postrider/core/people/storage';
import type { ObjectRef } from '@pothos/core';
import type { z } from 'zod';
import { builder, type SchemaTypes } from './builder.ts';
import { Domain } from './domains.ts';
import { enumOf } from './enums.ts';
import { objectFromZod } from './object-from-zod.ts';

const Project = builder.objectRef<ProjectState>('Project').implement({
  description: 'A project.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the project.' }),
    name: t.exposeString('name', { description: 'Name of the project.' }),
    disabled: t.exposeBoolean('disabled', {
      description: 'Whether it is disabled: it can be read, not changed.',
    }),
    language: t.exposeString('language', {
      description: 'Language of the texts that Postrider adds to email.',
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'Time zone, by its IANA name, in which its days begin and end.',
    }),
    tracking: t.field({
      type: enumOf('TrackingMode', trackingMode.options),
      description: 'Which email opens and clicks are tracked in.',
      resolve: ({ tracking }) => tracking,
    }),
    domains: t.field({
      type: [Domain],
      description: listDomains.summary,
      extensions: { operation: listDomains.name },
      resolve: (_project, _args, { ctx }) => listDomains.run(ctx, {}),
    }),
    members: t.field({
      type: [objectFromZod(listMembers.output.element, 'Member')],
      description: listMembers.summary,
      extensions: { operation: listMembers.name },
      resolve: ({ id }, _args, { ctx }) => listMembers.run(ctx, { id }),
    }),
  }),
});

partOfProject('setupState', getSetupState, objectFromZod(getSetupState.output, 'SetupState'));
partOfProject('security', getSecurity, objectFromZod(getSecurity.output, 'ProjectSecurity'));

partOfProject('storage', getStorage, objectFromZod(getStorage.output));

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    description: 'The project of the API key.',
    resolve: (_root, _args, { ctx }) => {
      assertPermission(ctx.actor, 'project:read');
      return projectOf(ctx);
    },
  }),
);

/** What an operation on the project by its id returns. */
function partOfProject<Output>(
  field: string,
  operation: Operation<z.ZodType, z.ZodType<Output>>,
  type: ObjectRef<SchemaTypes, Output>,
): void {
  builder.objectField(Project, field, (t) =>
    t.field({
      type: type as ObjectRef<SchemaTypes, unknown>,
      description: operation.summary,
      extensions: { operation: operation.name },
      resolve: ({ id }, _args, { ctx }) => operation.runRaw(ctx, { id }),
    }),
  );
}
